// The lines that keep the promises about access and actions over HTTP.

const MOUNTED = { file: 'http/mounted-controller.ts', test: 'test/http/closed-api.test.ts' };
const IDEMPOTENCY = { file: 'http/actions/idempotency.ts', test: 'test/http/idempotency-api.test.ts' };

/** @type {readonly import('./guards.mjs').Guard[]} */
export const ACTION_GUARDS = [
  {
    promise: 'nothing is open over HTTP that was not opened',
    ...MOUNTED,
    line: '...(isClosed ? [ClosedGuard] : options.guards), SameOriginGuard',
    instead: '...options.guards, SameOriginGuard',
    name: 'nothing is open that was not opened',
  },
  {
    promise: 'a window that lost an end on the way is refused',
    file: 'http/actions/action.dto.ts',
    line: 'boolean => value !== undefined;',
    instead: 'boolean => value !== undefined && value !== null;',
    test: 'test/http/actions-api.test.ts',
    name: 'are not meant by a window whose end is null',
  },
  {
    promise: 'every route says what it is for',
    ...MOUNTED,
    line: 'Reflect.defineMetadata(key, Reflect.getMetadata(key, inherited ?? {}), descriptor.value as object);',
    name: 'a guard that lets readers in lets nobody act',
  },
  {
    promise: 'pages of other sites change nothing',
    file: 'http/mounted-controller.ts',
    line: ': options.guards), SameOriginGuard)',
    instead: ': options.guards))',
    test: 'test/http/cross-site-api.test.ts',
    name: 'is refused for pages of other sites and for forms',
  },
  {
    promise: 'forms change nothing',
    file: 'http/security/same-origin.guard.ts',
    line: '?? formProblem(headers)',
    test: 'test/http/cross-site-api.test.ts',
    name: 'is refused for the form of a page',
  },
  {
    promise: 'a session believes guards that go by the method',
    file: 'http/security/operate-probe.ts',
    line: ", { method: { value: 'POST' } }",
    test: 'test/http/session-api.test.ts',
    name: 'believes guards that go by the method of a request',
  },
  {
    promise: 'answers are data, never a page',
    file: 'http/answers/api-headers.interceptor.ts',
    line: "'X-Content-Type-Options': 'nosniff',",
    test: 'test/http/markup-api.test.ts',
    name: 'is data in every answer',
  },
  {
    promise: 'a member that does not exist is refused',
    file: 'http/requests/read-body.ts',
    line: 'value === null || unknown.length > 0',
    instead: 'value === null',
    test: 'test/http/execution-actions-api.test.ts',
    name: 'refuses the body',
  },
  {
    promise: 'a request with a key is done once',
    file: 'postgres/request-store.ts',
    line: "if (begun.length > 0) return { standing: 'begun' };",
    instead: "return { standing: 'begun' };",
    test: 'test/http/idempotency-api.test.ts',
    name: 'is done once, and its repetitions get the stored answer',
  },
  {
    promise: 'a key of a request belongs to its actor',
    ...IDEMPOTENCY,
    line: 'hash([actor, key])',
    instead: 'hash([key])',
    name: 'is one request of its actor',
  },
  {
    promise: 'what was refused may be sent again',
    ...IDEMPOTENCY,
    line: 'await this.stores.requests.forget(request).catch(() => undefined);',
    name: 'is free again when it was refused',
  },
  {
    promise: 'a trigger over HTTP makes one execution, also when its process dies',
    file: 'http/actions/job-actions.controller.ts',
    line: '...(isNamed ? {} : { key: asker.requestId })',
    test: 'test/http/idempotency-api.test.ts',
    name: 'makes no second execution when the process died',
  },
  {
    promise: 'a request whose process died may be done again',
    file: 'postgres/statements/begin-request.sql.ts',
    line: "or r.answer is null and r.digest = excluded.digest and r.began_at < excluded.began_at - interval '2 minutes'",
    test: 'test/postgres/requests.test.ts',
    name: 'is begun again by itself',
  },
  {
    promise: 'no window over HTTP begins before what the ledger can hold',
    file: 'http/requests/query-rules.ts',
    line: ' && Number(text.slice(0, 4)) >= YEARS.first',
    test: 'test/http/fuzz-api.test.ts',
    name: 'no window of',
  },
];
