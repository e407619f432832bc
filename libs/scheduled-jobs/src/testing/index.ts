export { JobsTestKit, type AttemptReport } from './jobs-test-kit.js';
export { JobsTestModule } from './jobs-test.module.js';
export { LedgerExpectationError, type ExpectedExecution } from './ledger-differences.js';
export { SettableClock } from './settable-clock.js';
