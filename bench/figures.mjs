// What is measured, and how it is shown.

/**
 * @typedef {object} Figure
 * @property {string} label with its unit
 * @property {number} digits
 */

/** @type {Readonly<Record<string, Figure>>} */
export const FIGURES = {
  perSecond: { label: 'a second', digits: 0 },
  seconds: { label: 'wall s', digits: 2 },
  cpuMicroseconds: { label: 'CPU µs each', digits: 1 },
  serverCpuMicroseconds: { label: 'server CPU µs each', digits: 1 },
  memoryMiB: { label: 'memory MiB', digits: 0 },
  p50Ms: { label: 'p50 ms', digits: 2 },
  p99Ms: { label: 'p99 ms', digits: 2 },
  transactionsPerSecond: { label: 'transactions a second', digits: 2 },
  connections: { label: 'connections', digits: 0 },
  firstP95Ms: { label: 'first p95 ms', digits: 2 },
  lastP95Ms: { label: 'last p95 ms', digits: 2 },
  listMs: { label: 'list p95 ms', digits: 0 },
  searchMs: { label: 'search p95 ms', digits: 0 },
  deadLettersMs: { label: 'dead letters p95 ms', digits: 0 },
  groupsMs: { label: 'groups p95 ms', digits: 0 },
  overviewMs: { label: 'overview p95 ms', digits: 0 },
  statisticsMs: { label: 'statistics p95 ms', digits: 0 },
  periodsMs: { label: 'periods p95 ms', digits: 0 },
  gridMs: { label: 'grid p95 ms', digits: 0 },
};

/** @typedef {{ readonly min: number, readonly median: number, readonly max: number }} Spread */

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ index) => sorted.at(index) ?? Number.NaN;
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(-1) };
}

/**
 * @param {readonly number[]} values
 * @param {number} share 0 … 1
 */
export function percentile(values, share) {
  return (
    values.toSorted((a, b) => a - b).at(Math.min(Math.floor(values.length * share), values.length - 1)) ?? Number.NaN
  );
}

/**
 * @param {number} value
 * @param {number} digits
 */
export const shown = (value, digits) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
