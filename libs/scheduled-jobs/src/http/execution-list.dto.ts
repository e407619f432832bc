import { IsIn, IsOptional, Matches } from 'class-validator';
import { parseDuration } from '../core/duration.js';
import { EXECUTION_STATES, TRIGGERS, type ExecutionState, type Trigger } from '../core/execution/execution-state.js';
import type { ExecutionQuery } from '../core/ports/ledger-reader.js';
import { instantOf, IsDurationText, IsInstantText, IsJobName, withPlus } from './query-rules.js';
import { PageDto } from './page.dto.js';

const PERIOD = /^[A-Za-z0-9._:+ -]{1,100}$/;
const FINGERPRINT = /^[0-9a-f]{16}$/;
const WORKER = /^[\x20-\x7e]{1,200}$/;

function stateProblem({ value }: { readonly value: unknown }): string {
  const [first, second] = typeof value === 'string' ? value.slice(0, 60).split(',') : [];
  if (second !== undefined) return `$property takes one state each time: repeat it, state=${first}&state=${second}`;
  return `$property must be one of ${EXECUTION_STATES.join(', ')}`;
}

/** The filter of `GET /dead-letters`. Members left out do not filter. */
export class DeadLetterListDto extends PageDto {
  @IsOptional()
  @IsJobName()
  readonly job?: string;

  @IsOptional()
  @IsJobName()
  readonly queue?: string;

  @IsOptional()
  @Matches(WORKER, { message: '$property must be the name of a worker, 1–200 characters' })
  readonly worker?: string;

  @IsOptional()
  @IsIn(TRIGGERS, { message: `$property must be one of ${TRIGGERS.join(', ')}` })
  readonly trigger?: Trigger;

  @IsOptional()
  @Matches(PERIOD, { message: '$property must be the label of a period such as 2026-08-14' })
  readonly period?: string;

  /** The `fingerprint` of a recorded error. */
  @IsOptional()
  @Matches(FINGERPRINT, { message: '$property must be the fingerprint of a recorded error' })
  readonly fingerprint?: string;

  @IsOptional()
  @IsInstantText()
  readonly from?: string;

  @IsOptional()
  @IsInstantText()
  readonly to?: string;

  @IsOptional()
  @IsDurationText()
  readonly minDuration?: string;

  @IsOptional()
  @IsDurationText()
  readonly maxDuration?: string;

  @IsOptional()
  @Matches(/^\d{1,6}$/, { message: '$property must be a whole number' })
  readonly minAttempts?: string;
}

/** The filter of `GET /executions`: the same and `state`, which may be repeated: any of these states. */
export class ExecutionListDto extends DeadLetterListDto {
  @IsOptional()
  @IsIn(EXECUTION_STATES, { each: true, message: stateProblem })
  readonly state?: ExecutionState | readonly ExecutionState[];
}

/** The query that a checked filter stands for. */
export function executionQuery(dto: ExecutionListDto): ExecutionQuery {
  const { state, period, from, to, minDuration, maxDuration, minAttempts, limit, ...same } = dto;
  return {
    ...same,
    ...given('states', state === undefined ? undefined : [state].flat()),
    ...given('period', period === undefined ? undefined : withPlus(period)),
    ...given('from', from === undefined ? undefined : instantOf(from)),
    ...given('to', to === undefined ? undefined : instantOf(to)),
    ...given('minDurationMs', minDuration === undefined ? undefined : parseDuration(minDuration)),
    ...given('maxDurationMs', maxDuration === undefined ? undefined : parseDuration(maxDuration)),
    ...given('minAttempts', minAttempts === undefined ? undefined : Number(minAttempts)),
    ...given('limit', limit === undefined ? undefined : Number(limit)),
  };
}

const given = (member: keyof ExecutionQuery, value: unknown): object =>
  value === undefined ? {} : { [member]: value };
