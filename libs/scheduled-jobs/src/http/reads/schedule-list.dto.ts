import { IsOptional } from 'class-validator';
import { IsCursor } from '../requests/query-rules.js';

/** Which part of `GET /schedules` to read: a page holds 1,000. */
export class ScheduleListDto {
  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}
