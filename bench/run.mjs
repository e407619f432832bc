// Measures the product against its own limits and beside other job queues, on a private PostgreSQL:
//   npm run bench [-- NAME…] [-- --repetitions N] [-- --long] [-- --small] [-- --ours] [-- --json]
// Contestants take turns; tables show median and range, ratios are of one repetition each.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { runIfStarted } from '../scripts/entry.mjs';
import { launchPostgres } from '../scripts/postgres/launch.mjs';
import { runProgram } from '../scripts/run-program.mjs';
import { MEASURES } from './measures.mjs';
import { preparePeers } from './peers.mjs';
import { describeMachine, summarize, table } from './report.mjs';
import { SERVER_SETTINGS } from './server-settings.mjs';
import { estimatedSeconds, runMeasures } from './session.mjs';
import { FULL, LONG, SMALL } from './sizes.mjs';

function readOptions() {
  const { values, positionals } = parseArgs({
    options: {
      repetitions: { type: 'string', default: '5' },
      long: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
      ours: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const repetitions = Number(values.repetitions);
  if (!Number.isInteger(repetitions) || repetitions < 1 || repetitions > 100) {
    throw new Error(`--repetitions must be a whole number from 1 to 100, got ${values.repetitions}`);
  }
  const names = MEASURES.map(({ name }) => name);
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No measure is called ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  const measures = positionals.length === 0 ? MEASURES : MEASURES.filter(({ name }) => positionals.includes(name));
  const large = values.long ? LONG : FULL;
  return {
    plan: { measures, repetitions, isOursOnly: values.ours },
    sizes: values.small ? SMALL : large,
    json: values.json,
  };
}

/**
 * The Node of the sides: the one beside the peers where they are compared, else this one.
 * @param {import('./session.mjs').Plan} plan
 */
async function chooseNode({ measures, isOursOnly }) {
  const hasPeers = measures.some(({ contestants }) => contestants.some(({ side }) => side !== 'ours'));
  return hasPeers && !isOursOnly ? preparePeers() : process.execPath;
}

/** @param {number} seconds */
const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Ctrl+C once: what has been measured is shown. */
function stopRequest() {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  return stopping.signal;
}

async function main() {
  const { plan, sizes, json } = readOptions();
  await build();
  const node = await chooseNode(plan);
  const signal = stopRequest();
  const startMs = performance.now();
  const tell = (/** @type {string} */ line) =>
    console.error(`${minutes((performance.now() - startMs) / 1_000)} ${line}`);
  tell(`About ${minutes(estimatedSeconds(plan, sizes))} minutes, if nothing else runs here.`);
  const directory = join(tmpdir(), `scheduled-jobs-bench-${process.pid}`);
  const server = await launchPostgres({ directory, temporary: true, settings: SERVER_SETTINGS });
  try {
    const runs = await runMeasures(plan, { server, node, sizes }, { tell, signal });
    const { output } = await runProgram([node, '--version'], { cwd: tmpdir() });
    const machine = await describeMachine(server.url, output.trim());
    const results = runs.map((one) => summarize(one, sizes));
    console.log(json ? JSON.stringify({ machine, sizes, results }, null, 2) : table(machine, results));
    if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  } finally {
    await server.stop();
  }
}

await runIfStarted(import.meta.url, main);
