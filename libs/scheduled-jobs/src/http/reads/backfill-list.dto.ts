import { IsIn, IsOptional } from 'class-validator';
import { definedOnly } from '../../core/defined-only.js';
import { BACKFILL_STATES, type BackfillQuery, type BackfillState } from '../../core/ports/backfill-store.js';
import { PageDto } from '../requests/page.dto.js';
import { given, IsJobName } from '../requests/query-rules.js';

/** The filter of `GET /backfills`. Members left out do not filter. */
export class BackfillListDto extends PageDto {
  @IsOptional()
  @IsJobName()
  readonly job?: string;

  /** `open` = executions of it wait or run, `done` = none does any more, `canceled` = somebody has canceled it. */
  @IsOptional()
  @IsIn(BACKFILL_STATES, { message: `$property must be one of ${BACKFILL_STATES.join(', ')}` })
  readonly state?: BackfillState;
}

/** The query that a checked filter stands for. */
export const backfillQuery = ({ limit, ...same }: BackfillListDto): BackfillQuery =>
  definedOnly({ ...same, limit: given(limit, Number) });
