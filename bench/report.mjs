// Medians and ranges, for people and for programs.
import { cpus, totalmem } from 'node:os';
import pg from 'pg';

/**
 * @typedef {{ readonly min: number, readonly median: number, readonly max: number }} Spread
 * @typedef {ReturnType<typeof summarize>} Result
 */

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ index) => sorted.at(index) ?? Number.NaN;
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(-1) };
}

/**
 * @param {import('./measure.mjs').Measure} measure
 * @param {readonly import('./measure.mjs').Run[]} runs
 */
export function summarize({ name, what, target }, runs) {
  const seconds = spread(runs.map(({ wallMs }) => wallMs / 1_000));
  const perSecond = spread(runs.map(({ count, wallMs }) => count / (wallMs / 1_000)));
  const cpuMicroseconds = spread(runs.map(({ count, cpuMs }) => (cpuMs * 1_000) / count));
  const serverCpuMicroseconds = spread(
    runs.map(({ count, serverCpuMs }) => ((serverCpuMs ?? Number.NaN) * 1_000) / count),
  );
  const holds =
    seconds.median <= (target.seconds ?? Number.POSITIVE_INFINITY) && perSecond.median >= (target.perSecond ?? 0);
  return {
    name,
    what,
    target,
    repetitions: runs.length,
    count: runs[0]?.count ?? 0,
    seconds,
    perSecond,
    cpuMicroseconds,
    serverCpuMicroseconds,
    holds,
  };
}

/** @param {string} serverUrl */
export async function describeMachine(serverUrl) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    node: process.version,
    postgres: rows[0].server_version,
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory: `${gigabytes} GiB`,
  };
}

/**
 * @param {Awaited<ReturnType<typeof describeMachine>>} machine
 * @param {readonly Result[]} results
 */
export function table(machine, results) {
  const { node, postgres, cores, processor, memory } = machine;
  const lines = results.flatMap(
    ({ what, repetitions, seconds, perSecond, cpuMicroseconds, serverCpuMicroseconds, target, holds }) => [
      '',
      `${what} (median and range of ${repetitions})`,
      `  wall            ${shown(seconds, 2)} s${target.seconds === undefined ? '' : `   target ≤ ${target.seconds} s`}`,
      `  per second      ${shown(perSecond, 0)}${target.perSecond === undefined ? '' : `   target ≥ ${target.perSecond}`}`,
      `  CPU, process    ${shown(cpuMicroseconds, 1)} µs each`,
      `  CPU, server     ${shown(serverCpuMicroseconds, 1)} µs each`,
      `  ${holds ? 'holds' : 'MISSED'}`,
    ],
  );
  return [`Node ${node}, PostgreSQL ${postgres}, ${cores} × ${processor}, ${memory}`, ...lines].join('\n');
}

/**
 * @param {Spread} spread
 * @param {number} digits
 */
const shown = ({ min, median, max }, digits) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} … ${max.toFixed(digits)})`;
