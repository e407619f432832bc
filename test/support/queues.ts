import type { GatedClaim, QueueGateOutlook } from '../../libs/scheduled-jobs/src/core/ports/work-store.js';
import type { QueueLimits } from '../../libs/scheduled-jobs/src/core/queue/queue-limits.js';
import { resolveQueues } from '../../libs/scheduled-jobs/src/core/queue/resolve-queues.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { attemptRecord, storedError, T0, type TestLedger } from './ledger.js';

/** Limits as the module's options say them. */
export function limitsOf(options: Readonly<Record<string, unknown>>): readonly QueueLimits[] {
  const problems: string[] = [];
  const limits = resolveQueues(options, 'queues', problems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return limits;
}

/** The queues of a ledger as one worker meets them; its time is bound. */
export class TestQueues {
  constructor(
    private readonly ledger: TestLedger,
    private readonly stores: Stores = ledger.stores,
    private readonly worker = 'w1',
  ) {}

  configure(options: Readonly<Record<string, unknown>>): Promise<void> {
    return this.stores.queues.configure(limitsOf(options));
  }

  /** Inserts ready executions of a queue. */
  async fill(queue: string, count: number): Promise<void> {
    await this.ledger.insert(...Array.from({ length: count }, () => ({ queue })));
  }

  claim(queue: string, take: number, now: Date | null = T0): Promise<GatedClaim> {
    const quotas = [{ queue, take, start: take }];
    return this.stores.work.claimGated({ workerId: this.worker, quotas, jobNames: ['job'], now });
  }

  /** What a look says of one queue. */
  async gate(queue: string, now: Date = T0): Promise<QueueGateOutlook | undefined> {
    return (await this.stores.work.look([queue], now)).gates.find((gate) => gate.queue === queue);
  }

  async finish(claimed: GatedClaim['claimed'], now: Date = T0): Promise<void> {
    const records = claimed.map((execution) => attemptRecord(execution));
    await this.stores.work.finish(records, { workerId: this.worker, now });
  }

  /** Ends executions and tells their breakers how. */
  async judge(claimed: GatedClaim['claimed'], end: 'ok' | 'failed', now: Date = T0) {
    const failure = {
      disposition: 'failed',
      outcome: 'failed',
      error: { ...storedError(), kind: 'transient' },
    } as const;
    const records = claimed.map((execution) => attemptRecord(execution, end === 'ok' ? {} : failure));
    await this.stores.work.finish(records, { workerId: this.worker, now });
    const verdicts = claimed.map(({ queue, leaseToken }) => ({ queue, leaseToken, failed: end === 'failed' }));
    return this.stores.queues.recordVerdicts(verdicts, now);
  }
}
