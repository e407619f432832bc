import { IsIn, IsOptional } from 'class-validator';
import { ALERT_KINDS, type AlertKind } from '../../core/alert/alert.js';
import { definedOnly } from '../../core/defined-only.js';
import type { AlertQuery } from '../../core/ports/alert-store.js';
import { PageDto } from '../requests/page.dto.js';
import { given, IsJobName } from '../requests/query-rules.js';

/** The filter of `GET /alerts`. Members left out do not filter. */
export class AlertListDto extends PageDto {
  @IsOptional()
  @IsIn(ALERT_KINDS, { message: `$property must be one of ${ALERT_KINDS.join(', ')}` })
  readonly kind?: AlertKind;

  /** A job; of `backlog-age` a queue. */
  @IsOptional()
  @IsJobName()
  readonly subject?: string;

  /** `true` = levels that are passed still. */
  @IsOptional()
  @IsIn(['true', 'false'], { message: '$property must be true or false' })
  readonly open?: 'true' | 'false';
}

/** The query that a checked filter stands for. */
export const alertQuery = ({ open, limit, ...same }: AlertListDto): AlertQuery =>
  definedOnly({ ...same, open: given(open, (text) => text === 'true'), limit: given(limit, Number) });
