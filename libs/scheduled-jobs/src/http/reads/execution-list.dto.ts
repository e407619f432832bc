import { IsIn, IsOptional, Matches } from 'class-validator';
import { definedOnly } from '../../core/defined-only.js';
import { DAY_MS, parseDuration } from '../../core/duration.js';
import {
  EXECUTION_STATES,
  isFinal,
  TRIGGERS,
  type ExecutionState,
  type Trigger,
} from '../../core/execution/execution-state.js';
import type { ExecutionQuery } from '../../core/ports/ledger-reader.js';
import { given, instantOf, IsDurationText, IsJobName, withPlus } from '../requests/query-rules.js';
import { WindowListDto } from '../requests/window.dto.js';

const PERIOD = /^[A-Za-z0-9._:+ -]{1,100}$/;
const FINGERPRINT = /^[0-9a-f]{16}$/;
const WORKER = /^[\x20-\x7e]{1,200}$/;

function stateProblem({ value }: { readonly value: unknown }): string {
  const [first, second] = typeof value === 'string' ? value.slice(0, 60).split(',') : [];
  if (second !== undefined) return `$property takes one state each time: repeat it, state=${first}&state=${second}`;
  return `$property must be one of ${EXECUTION_STATES.join(', ')}`;
}

/** The filter of `GET /dead-letters`. Members left out do not filter. */
export class DeadLetterListDto extends WindowListDto {
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
  return definedOnly({
    ...same,
    states: given(state, (one) => [one].flat()),
    period: given(period, withPlus),
    from: given(from, instantOf),
    to: given(to, instantOf),
    minDurationMs: parseDuration(minDuration) ?? undefined,
    maxDurationMs: parseDuration(maxDuration) ?? undefined,
    minAttempts: given(minAttempts, Number),
    limit: given(limit, Number),
  });
}

/** The stretch of nominal times that an answer is of; null at an end = it is open. */
export interface AnswerWindow {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Filters that no index serves: they need a window. */
const UNINDEXED = ['queue', 'worker', 'trigger', 'period', 'minDurationMs', 'maxDurationMs', 'minAttempts'] as const;
const DEFAULT_WINDOW_MS = 7 * DAY_MS;

/**
 * The window of a query: the one that it names; else, for filters outside the indexes, the last seven days, or those before
 * `to`; null = it needs none. What has not ended is found without one.
 */
export function windowOf(query: ExecutionQuery, now: Date): AnswerWindow | null {
  const { from, to, states, fingerprint } = query;
  const isOpen = states !== undefined && !states.some(isFinal);
  const needsOne = UNINDEXED.some((name) => query[name] !== undefined) && fingerprint === undefined && !isOpen;
  if (from !== undefined || (to !== undefined && !needsOne)) return { from: from ?? null, to: to ?? null };
  if (!needsOne) return null;
  return { from: new Date((to ?? now).getTime() - DEFAULT_WINDOW_MS), to: to ?? null };
}
