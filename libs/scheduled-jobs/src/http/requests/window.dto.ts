import { IsOptional, Matches } from 'class-validator';
import { IsInstantText } from './query-rules.js';

/** A window of nominal time. */
export class WindowDto {
  /** Default seven days before `to`. */
  @IsOptional()
  @IsInstantText()
  readonly from?: string;

  /** Default now. */
  @IsOptional()
  @IsInstantText()
  readonly to?: string;
}

/** A window that is read page by page. */
export class WindowPageDto extends WindowDto {
  /** The `nextCursor` of the page before. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,2000}$/, { message: '$property must be the nextCursor of a page' })
  readonly cursor?: string;
}

/** Which part of the grid of jobs and periods to read. */
export class GridDto extends WindowPageDto {
  /** The newest periods of each schedule in the window, 1 … 200. Default 50. */
  @IsOptional()
  @Matches(/^([1-9]\d?|1\d\d|200)$/, { message: '$property must be a whole number from 1 to 200' })
  readonly limit?: string;
}
