import type { AttemptDetail, ExecutionDetail, ItemFailure, RecordedError } from '../core/ports/ledger-reader.js';

/** What readers see of errors: stacks name paths of the server, so they are left out unless the application shows them. */
export class ErrorView {
  constructor(private readonly showStacks: boolean) {}

  execution(detail: ExecutionDetail): object {
    return { ...detail, error: this.error(detail.error) };
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
