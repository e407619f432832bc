import { IsOptional } from 'class-validator';
import { IsCursor, IsInstantText, IsPageLimit } from './query-rules.js';

/** A window of time. */
export class WindowDto {
  @IsOptional()
  @IsInstantText()
  readonly from?: string;

  @IsOptional()
  @IsInstantText()
  readonly to?: string;
}

/** A window that is read page by page. */
export class WindowPageDto extends WindowDto {
  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}

/** The same with pages of a chosen length. */
export class WindowListDto extends WindowPageDto {
  /** 1 … 200. Default 50. */
  @IsOptional()
  @IsPageLimit()
  readonly limit?: string;
}
