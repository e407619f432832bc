// The lines that keep the promises about retries, payloads and secrets.

const SETTLEMENT = {
  file: 'core/execution/settlement.ts',
  test: 'libs/scheduled-jobs/src/core/execution/settlement.test.ts',
};

/** @type {readonly import('./guards.mjs').Guard[]} */
export const RETRY_GUARDS = [
  {
    promise: 'what a handler says itself comes first',
    file: 'core/execution/judge-error.ts',
    line: 'if (spoken !== null) return { judgement: spoken, complaint: null };',
    test: 'libs/scheduled-jobs/src/core/execution/judge-error.test.ts',
    name: 'does not ask classify about what the handler said itself',
  },
  {
    promise: 'the classify of a job is asked',
    file: 'engine/attempt-runner.ts',
    line: 'judgeError(ending.error, definition.classify)',
    instead: 'judgeError(ending.error, null)',
    test: 'test/engine/retry.test.ts',
    name: 'goes by what the job says of an error',
  },
  {
    promise: 'the kind of an error is on record',
    file: 'postgres/attempt-recorder.ts',
    line: 'records.map(({ error }) => error?.kind ?? null),',
    instead: 'records.map(() => null),',
    test: 'test/postgres/finish.test.ts',
    name: 'records that an error is',
  },
  {
    ...SETTLEMENT,
    promise: 'a wait that is asked for is bounded',
    line: 'Math.min(askedWaitMs(end, retryAfter), end.retry.retryAfterMaxMs)',
    instead: 'askedWaitMs(end, retryAfter)',
    name: 'bounds the wait of a RetryLaterError',
  },
  {
    ...SETTLEMENT,
    promise: 'an uncounted call waits for a second at least',
    line: 'const MIN_LATER_MS = 1_000;',
    instead: 'const MIN_LATER_MS = 0;',
    name: 'waits 1 s at least when a RetryLaterError says',
  },
  {
    ...SETTLEMENT,
    promise: 'an uncounted call does not lead past the deadline',
    line: "if (isTooLate(runAt, end)) return final('failed', 'failed', 'deadline');",
    name: 'does not defer a throttled call past the deadline',
  },
  {
    promise: 'Retry-After is kept',
    file: 'core/execution/error-shapes/http-error.ts',
    line: "retryAfterOf(member(response, 'headers')) ?? retryAfterOf(member(error, 'headers'))",
    instead: "retryAfterOf(member(response, 'no-headers'))",
    test: SETTLEMENT.test,
    name: 'defers a throttled call whose Retry-After is',
  },
  {
    promise: 'a payload of which JSON would lose something is refused',
    file: 'core/execution/payload.ts',
    line: 'if (problem !== null) return this.checked(null, problem);',
    test: 'libs/scheduled-jobs/src/core/execution/payload.test.ts',
    name: 'names each problem with its place',
  },
  {
    promise: 'readers see no secrets of payloads',
    file: 'http/views/reader-view.ts',
    line: 'payload: redactStored(payload),',
    instead: 'payload,',
    test: 'test/http/secrets-api.test.ts',
    name: 'shows payload and result without their secrets',
  },
  {
    promise: 'the reasons of operators keep no secrets',
    file: 'nest/client/operator-options.ts',
    line: '? redactText(reason) : null',
    instead: '? reason : null',
    test: 'libs/scheduled-jobs/src/nest/client/operator-options.test.ts',
    name: 'keeps no secret of who asks and why',
  },
  {
    promise: 'a cut leaves no half of a secret behind',
    file: 'core/execution/redaction.ts',
    line: 'text.slice(0, start + lastBlank)',
    instead: 'text.slice(0, maxLength)',
    test: 'libs/scheduled-jobs/src/core/execution/redaction.test.ts',
    name: 'cuts at a blank, so that no half of a secret stays',
  },
];
