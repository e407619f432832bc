/** Injection tokens of the library's own parts. By Symbol.for: equal in every copy of the package. */
const token = (name: string): symbol => Symbol.for(`nestjs-scheduled-jobs/${name}`);

/** The options of the module as they were given, unchecked. */
export const GIVEN_OPTIONS = token('given-options');
/** The resolved options of the module. */
export const MODULE_OPTIONS = token('module-options');
/** The data source that holds the ledger. */
export const DATA_SOURCE = token('data-source');
/** The ledger behind the ports of the core. */
export const STORES = token('stores');
/** The registry in which the wake-up timeout can be seen. */
export const WAKE_UP_REGISTRY = token('wake-up-registry');
/** What facts are judged by instead of the database's clock: tests provide it. */
export const CLOCK = token('clock');
/** What puts a span around each enqueue; provided by the observability module. */
export const ENQUEUE_TRACER = token('enqueue-tracer');
/** What puts a span around each tick; provided by the observability module. */
export const TICK_TRACER = token('tick-tracer');
/** True = this process makes one pass and ends, so that no loop may start. */
export const ONE_PASS = token('one-pass');
/** True = somebody acts through this process for a moment: it registers no job and starts no loop. */
export const OPERATING = token('operating');
