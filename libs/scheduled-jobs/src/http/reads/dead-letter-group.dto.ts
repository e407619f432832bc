import { IsOptional } from 'class-validator';
import { IsJobName } from '../requests/query-rules.js';

/** The filter of `GET /dead-letters/groups`. Members left out do not filter. */
export class DeadLetterGroupDto {
  @IsOptional()
  @IsJobName()
  readonly job?: string;

  @IsOptional()
  @IsJobName()
  readonly queue?: string;
}
