// Medians, ranges and ratios, for people and for programs.
import { cpus, totalmem } from 'node:os';
import pg from 'pg';
import { FIGURES, shown, spread } from './figures.mjs';
import { holds } from './targets.mjs';

/**
 * @typedef {import('./figures.mjs').Spread} Spread
 * @typedef {ReturnType<typeof summarize>} Result
 * @typedef {Awaited<ReturnType<typeof describeMachine>>} Machine
 */

/**
 * @param {import('./session.mjs').Runs} runs
 * @param {import('./sizes.mjs').Sizes} sizes
 */
export function summarize({ measure, contestants, repetitions, failures }, sizes) {
  return {
    name: measure.name,
    what: measure.what(sizes),
    repetitions: repetitions.length,
    contestants: contestants.map(({ name }) => ({
      name,
      figures: spreads(repetitions.map((repetition) => repetition[name]).filter((figures) => figures !== undefined)),
    })),
    targets: measure.targets(sizes).map(({ what, bound, value }) => {
      const values = repetitions.map((repetition) => value((name) => repetition[name] ?? {})).filter(Number.isFinite);
      const found = spread(values);
      return { what, ...bound, ...found, holds: values.length === 0 ? null : holds(bound, found.median) };
    }),
    failures,
    runs: repetitions,
  };
}

/**
 * @param {readonly import('./measure.mjs').Figures[]} runs
 * @returns {Readonly<Record<string, Spread>>}
 */
const spreads = (runs) =>
  Object.fromEntries(
    Object.keys(runs[0] ?? {}).map((figure) => [figure, spread(runs.map((run) => run[figure] ?? NaN))]),
  );

/**
 * @param {string} serverUrl
 * @param {string} sidesNode
 */
export async function describeMachine(serverUrl, sidesNode) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  return {
    node: process.version,
    sidesNode,
    postgres: rows[0].server_version,
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  };
}

/**
 * @param {Machine} machine
 * @param {readonly Result[]} results
 */
export function table({ node, sidesNode, postgres, cores, processor, memory }, results) {
  return [
    `Node ${sidesNode} (ticks: ${node}), PostgreSQL ${postgres}, ${cores} × ${processor}, ${memory}`,
    ...results.flatMap((result) => ['', ...section(result)]),
  ].join('\n');
}

/** @param {Result} result */
function section({ name, what, repetitions, contestants, targets, failures }) {
  const figures = Object.keys(contestants.find((one) => Object.keys(one.figures).length > 0)?.figures ?? {});
  const rows = [
    ['', ...figures.map((figure) => FIGURES[figure]?.label ?? figure)],
    ...contestants.map((one) => [one.name, ...figures.map((figure) => cell(one.figures[figure], figure))]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return [
    `${name}: ${what} (median and range of ${repetitions})`,
    ...rows.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd()),
    ...targets.map(verdict),
    ...failures.map((failure) => `  FAILED ${failure.split('\n', 1)[0] ?? ''}`),
  ];
}

/**
 * @param {Spread | undefined} found
 * @param {string} figure
 */
const cell = (found, figure) => (found === undefined ? '–' : range(found, FIGURES[figure]?.digits ?? 2));

/** @param {Result['targets'][number]} target */
function verdict(target) {
  const bound = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  if (target.holds === null) return `  ${target.what}   target ${bound}   not measured`;
  return `  ${target.what}   ${range(target, 2)}   target ${bound}   ${target.holds ? 'holds' : 'MISSED'}`;
}

/**
 * @param {Spread} spread
 * @param {number} digits
 */
const range = ({ min, median, max }, digits) =>
  `${shown(median, digits)} (${shown(min, digits)} … ${shown(max, digits)})`;
