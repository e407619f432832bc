import { timelineOf, type Timeline } from '../../core/browse/timeline.js';
import type { ExecutionDetail } from '../../core/ports/ledger-reader.js';
import type { Stores } from '../../postgres/create-stores.js';

const MAX_FACTS = 200;

/** Gathers what happened to an execution. */
export class TimelineView {
  constructor(private readonly stores: Pick<Stores, 'ledger' | 'audit'>) {}

  async of(execution: ExecutionDetail): Promise<Timeline> {
    const { ledger, audit } = this.stores;
    const { executionId } = execution;
    const page = { limit: MAX_FACTS };
    const attempts = await ledger.attempts(executionId, page);
    const steps = await ledger.steps(executionId, page);
    const operations = await audit.find({ ...page, execution: executionId });
    const items = timelineOf({
      execution,
      attempts: attempts.items,
      steps: steps.items,
      operations: operations.items,
    });
    return { items, capped: [attempts, steps, operations].some(({ nextCursor }) => nextCursor !== null) };
  }
}
