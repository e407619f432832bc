import { redactStored } from '../../core/execution/redaction.js';
import type { AttemptDetail, ExecutionDetail, ItemFailure, RecordedError } from '../../core/ports/ledger-reader.js';

/**
 * What readers see of an execution: payload and result without secrets, and no stacks unless the application shows them,
 * for they name paths of the server.
 */
export class ReaderView {
  constructor(private readonly showStacks: boolean) {}

  execution(detail: ExecutionDetail): object {
    const { payload, result } = detail;
    return { ...detail, payload: redactStored(payload), result: redactStored(result), error: this.error(detail.error) };
  }

  attempt(attempt: AttemptDetail): object {
    return { ...attempt, error: this.error(attempt.error) };
  }

  item(item: ItemFailure): object {
    return { ...item, error: this.error(item.error) };
  }

  private error(error: Partial<RecordedError> | null): object | null {
    if (error === null || this.showStacks) return error;
    const { stack: _hidden, ...shown } = error;
    return shown;
  }
}
