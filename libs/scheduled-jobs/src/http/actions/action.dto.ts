import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { PERIOD_LABEL } from '../../core/calendar/period-label.js';
import { BACKFILL_ORDERS, type BackfillOrder } from '../../core/ports/backfill-store.js';
import { REPLAYABLE_STATES, type ReplayableState } from '../../core/ports/replay-store.js';
import { IsCursor, IsInstantText, IsJobName } from '../requests/query-rules.js';

const flag = { message: '$property must be true or false' };
const pageRule = { message: '$property must be a whole number from 1 to 200' };
const paceRule = { message: '$property must be a whole number from 1 to 60000' };
const reasonRule = { message: '$property is required: a text of 1 to 500 characters that says why' };

/** Unlike `IsOptional`, it lets no null pass: an end of a window that is lost on the way must not widen what is meant. */
const isGiven = (_: object, value: unknown): boolean => value !== undefined;

/** What every action takes: why. Who is known from the request. */
export class ActionDto {
  /** Stands in the audit, without secrets. */
  @Length(1, 500, reasonRule)
  readonly reason: string;
}

/** How a job is triggered. */
export class TriggerDto extends ActionDto {
  /** The label of a period of a scheduled job that has begun: the execution is the one that a tick would have made. */
  @IsOptional()
  @Matches(PERIOD_LABEL, { message: '$property must be the label of a period such as 2026-08-14' })
  readonly period?: string;

  /** An idempotency key of the execution. Not together with `period`. */
  @IsOptional()
  @IsString({ message: '$property must be a text' })
  @Length(1, 300, { message: '$property must be a text of 1 to 300 characters' })
  readonly key?: string;

  /** Of a background job. */
  @Allow()
  readonly payload?: unknown;

  /** True = also while the job is paused; the execution then waits until the job is resumed. Default false. */
  @IsOptional()
  @IsBoolean(flag)
  readonly force?: boolean;
}

/** How a paused job goes on. */
export class ResumeDto extends ActionDto {
  /** True = the job's catch-up policy decides about the periods since the pause. Default false: they are left out. */
  @IsOptional()
  @IsBoolean(flag)
  readonly catchUp?: boolean;
}

/** An action that may be tried: then no reason is needed. */
class TriedDto {
  @ValidateIf(({ dryRun, reason }: TriedDto) => dryRun !== true || reason !== undefined)
  @Length(1, 500, reasonRule)
  readonly reason?: string;

  /** True = only tell what would be done. Default false. */
  @IsOptional()
  @IsBoolean(flag)
  readonly dryRun?: boolean;
}

/** Which periods are executed after the fact. */
export class BackfillDto extends TriedDto {
  /** The first instant, inclusive. */
  @IsInstantText()
  readonly from: string;

  /** The last instant, inclusive, not in the future. */
  @IsInstantText()
  readonly to: string;

  /** Default `oldest-first`. */
  @IsOptional()
  @IsIn(BACKFILL_ORDERS, { message: `$property must be one of ${BACKFILL_ORDERS.join(', ')}` })
  readonly order?: BackfillOrder;
}

/** How one execution is executed once more. */
export class RetryDto extends ActionDto {
  /** True = also a success, from its beginning. Default false. */
  @IsOptional()
  @IsBoolean(flag)
  readonly force?: boolean;

  /** Of a background job: takes the place of the stored payload. Default that stays as it is. */
  @Allow()
  readonly payload?: unknown;
}

/** Which ended executions are meant. At least one member of the filter is needed. */
export class AcknowledgeDto extends TriedDto {
  @IsOptional()
  @IsJobName()
  readonly job?: string;

  @IsOptional()
  @IsJobName()
  readonly queue?: string;

  /** The `fingerprint` of a recorded error. */
  @IsOptional()
  @Matches(/^[0-9a-f]{16}$/, { message: '$property must be the fingerprint of a recorded error' })
  readonly fingerprint?: string;

  /** Ended at or after this instant. */
  @ValidateIf(isGiven)
  @IsInstantText()
  readonly finishedFrom?: string;

  /** Ended before this instant. */
  @ValidateIf(isGiven)
  @IsInstantText()
  readonly finishedTo?: string;

  /** How many this request takes at most. Default 200. */
  @IsOptional()
  @IsInt(pageRule)
  @Min(1, pageRule)
  @Max(200, pageRule)
  readonly limit?: number;

  /** The `nextCursor` of an answer with the same filter. */
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}

/** Which ended executions are executed once more, and how fast. */
export class ReplayDto extends AcknowledgeDto {
  /** Default `failed` alone. */
  @IsOptional()
  @IsArray({ message: '$property must be a list' })
  @ArrayMaxSize(REPLAYABLE_STATES.length, { message: '$property must name each state once' })
  @IsIn(REPLAYABLE_STATES, { each: true, message: `$property must list some of ${REPLAYABLE_STATES.join(', ')}` })
  readonly states?: readonly ReplayableState[];

  /** How many may start in a minute, over all pages. Default 600. */
  @IsOptional()
  @IsInt(paceRule)
  @Min(1, paceRule)
  @Max(60_000, paceRule)
  readonly maxPerMinute?: number;
}
