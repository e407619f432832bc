/** @typedef {import('./audit.mjs').JobAudit} JobAudit */

const HEADER = [
  'job',
  'expected',
  'executed',
  'missing',
  'duplicates',
  'duration p50',
  'p95',
  'start delay p50',
  'p95',
];

/**
 * @param {readonly JobAudit[]} audits
 * @returns {string} several lines
 */
export function auditTable(audits) {
  const rows = [HEADER, ...audits.map(cells)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => row.map((cell, column) => padded(cell, column, widths[column] ?? 0)).join('  ')).join('\n');
}

/** @param {JobAudit} audit */
function cells({ job, expected, executed, missing, duplicates, durationsMs, startDelaysMs }) {
  const spans = [durationsMs, startDelaysMs].flatMap((ms) => [percentile(ms, 0.5), percentile(ms, 0.95)]);
  const counts = [expected, executed, missing, duplicates].map((count) => (expected === 0 ? '–' : String(count)));
  return [job, ...counts, ...spans.map(shown)];
}

/**
 * The smallest value that at least this share of the values does not exceed.
 * @param {readonly number[]} values
 * @param {number} share 0 … 1
 */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)];
}

/** @param {number | undefined} ms */
function shown(ms) {
  if (ms === undefined) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * @param {string} cell
 * @param {number} column
 * @param {number} width
 */
const padded = (cell, column, width) => (column === 0 ? cell.padEnd(width) : cell.padStart(width));
