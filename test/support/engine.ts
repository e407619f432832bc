import type { EngineEvent } from '../../libs/scheduled-jobs/src/core/events/engine-event.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { resolveJob } from '../../libs/scheduled-jobs/src/core/job/resolve-job.js';

/** A resolved background job; options as `@BackgroundJob` takes them. */
export const backgroundJob = (options: Readonly<Record<string, unknown>> = {}): JobDefinition =>
  resolved('background', undefined, { name: 'job', ...options });

/** A resolved scheduled job in UTC; options as `@ScheduledJob` takes them. */
export const scheduledJob = (cron: string, options: Readonly<Record<string, unknown>> = {}): JobDefinition =>
  resolved('scheduled', cron, { name: 'job', timeZone: 'UTC', ...options });

function resolved(kind: 'scheduled' | 'background', cron: string | undefined, options: object): JobDefinition {
  const declared = { kind, cron, options, place: 'Jobs.run' };
  const { definition, problems } = resolveJob(declared, { timeZone: null, overrides: {} });
  if (definition === null) throw new Error(problems.join('\n'));
  return definition;
}

let tokens = 0;

/** An execution as a claim gives it; each call makes another one. */
export function claimedExecution(parts: Partial<ClaimedExecution> = {}): ClaimedExecution {
  const leaseToken = String(++tokens);
  return {
    executionId: leaseToken,
    leaseToken,
    key: `job:${leaseToken}`,
    jobName: 'job',
    period: null,
    interval: null,
    scheduledFor: new Date('2026-08-14T06:00:00Z'),
    payload: null,
    trigger: 'enqueue',
    traceParent: null,
    queue: 'default',
    concurrencyKey: null,
    attempt: 1,
    maxAttempts: 4,
    leaseMs: 3_000,
    deadlineAt: null,
    claimedAt: new Date('2026-08-14T06:00:00Z'),
    isLastChance: false,
    ...parts,
  };
}

/** Keeps events and lets a test wait for one. */
export class EventRecorder {
  readonly events: EngineEvent[] = [];
  private readonly waiting = new Set<() => void>();

  readonly emit = (event: EngineEvent): void => {
    this.events.push(event);
    for (const look of this.waiting) look();
  };

  of<Type extends EngineEvent['type']>(type: Type): Extract<EngineEvent, { readonly type: Type }>[] {
    return this.events.filter((event): event is Extract<EngineEvent, { readonly type: Type }> => event.type === type);
  }

  /** Resolves with the first event of a type, one that is there already included; rejects after `withinMs`. */
  next<Type extends EngineEvent['type']>(
    type: Type,
    { withinMs = 10_000, where = () => true }: EventWait<Type> = {},
  ): Promise<Extract<EngineEvent, { readonly type: Type }>> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`No event "${type}" within ${withinMs} ms; there were: ${this.summary()}`));
      }, withinMs);
      const look = (): void => {
        const event = this.of(type).find(where);
        if (event === undefined) return;
        clearTimeout(late);
        this.waiting.delete(look);
        resolve(event);
      };
      this.waiting.add(look);
      look();
    });
  }

  private summary(): string {
    return this.events.map(({ type }) => type).join(', ') || 'none';
  }
}

interface EventWait<Type extends EngineEvent['type']> {
  readonly withinMs?: number;
  readonly where?: (event: Extract<EngineEvent, { readonly type: Type }>) => boolean;
}

/** Looks until `ready` gives something; rejects after `withinMs`. */
export async function eventually<T>(
  ready: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  { withinMs = 10_000, what = 'the condition' }: { readonly withinMs?: number; readonly what?: string } = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await ready();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A promise that the test resolves. */
export function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
