// Measures the product against its own limits on a private PostgreSQL:
//   npm run bench [-- NAME…] [-- --repetitions N] [-- --json]
// Each measure runs several times, each time on an empty ledger; the table shows median and range.
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { runIfStarted } from '../scripts/entry.mjs';
import { launchPostgres } from '../scripts/postgres/launch.mjs';
import { catchUp } from './measures/catch-up.mjs';
import { dueAtOnce } from './measures/due-at-once.mjs';
import { BenchLedger } from './ledger.mjs';
import { describeMachine, summarize, table } from './report.mjs';

/** @type {readonly import('./measure.mjs').Measure[]} */
const MEASURES = [dueAtOnce, catchUp];

function readOptions() {
  const { values, positionals } = parseArgs({
    options: { repetitions: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
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
  return { measures, repetitions, json: values.json };
}

async function main() {
  const { measures, repetitions, json } = readOptions();
  await build();
  const server = await launchPostgres({ temporary: true, fresh: true });
  try {
    const results = [];
    for (const measure of measures) {
      const runs = [];
      for (let repetition = 1; repetition <= repetitions; repetition++) {
        const ledger = await BenchLedger.create(server);
        runs.push(await measure.run(ledger));
        await ledger.close();
        console.error(`${measure.name} ${repetition}/${repetitions}`);
      }
      results.push(summarize(measure, runs));
    }
    const machine = await describeMachine(server.url);
    console.log(json ? JSON.stringify({ machine, results }, null, 2) : table(machine, results));
  } finally {
    await server.stop();
  }
}

await runIfStarted(import.meta.url, main);
