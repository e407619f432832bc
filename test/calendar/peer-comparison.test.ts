import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.mjs';
import { peerCasesAround, recordedPeerCases } from './peer-cases.js';
import { comparePeer, resultTable, type PeerResult } from './peer-comparison.js';
import type { PeerCase } from './peer-judge.js';
import { PEERS } from './peers.js';
import { WallClock } from './wall-clock.js';

const HOUR_MS = 3_600_000;
const REPORT = process.env['CALENDAR_REPORT'];
/** `npm run test:calendar -- --compare` asks all libraries about a sample; the seed keeps the published numbers the same. */
const IS_COMPARISON = process.env['CALENDAR_PROOF'] === 'compare';
const SEED = Number(process.env['TEST_SEED'] ?? 20_260_814);
const SAMPLE = { zones: 5, changes: 10 };
const FROM = Date.UTC(2000, 0, 1) / 1_000;
/** One of the libraries looks no farther than eight years from today. */
const UNTIL = Date.UTC(2034, 0, 1) / 1_000;

function sampledCases(): readonly PeerCase[] {
  const random = seededRandom(SEED);
  const zones = Intl.supportedValuesOf('timeZone').filter(() => random() < 1 / SAMPLE.zones);
  return zones.flatMap((timeZone) => {
    const clock = new WallClock(timeZone);
    const changes = clock.changes(FROM, UNTIL, 6);
    const sampled = changes.filter(() => random() < 1 / SAMPLE.changes);
    return sampled.flatMap((change) => peerCasesAround(clock, change, { random, share: 0.25 }));
  });
}

function versionOf(name: string): string {
  if (name === 'nestjs-scheduled-jobs') return '';
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function print(title: string, results: readonly PeerResult[]): void {
  const examples = results.flatMap(({ name, examples: texts }) => texts.map((text) => `${name}: ${text}`));
  console.log([`\n${title}\n`, resultTable(results, versionOf), '', ...examples].join('\n'));
}

describe('Libraries that read cron expressions, on the same cases', () => {
  const recorded = recordedPeerCases();

  it.each(PEERS)('$name is asked in its own words', (peer) => {
    const plain = recorded.filter(({ timeZone }) => timeZone === 'UTC').slice(0, 10);
    expect(comparePeer(peer, plain).grades.right).toBe(10);
  });

  it('finds this library right in all recorded cases', () => {
    const ours = PEERS.filter(({ name }) => name === 'nestjs-scheduled-jobs');
    expect(ours.map((peer) => comparePeer(peer, recorded))).toMatchObject([
      { cases: 93, grades: { right: 93 }, differsBackward: 0 },
    ]);
  });

  it.runIf(IS_COMPARISON)(
    'compares them around sampled clock changes',
    () => {
      const sampled = sampledCases();
      const results = {
        recorded: PEERS.map((peer) => comparePeer(peer, recorded)),
        sampled: PEERS.map((peer) => comparePeer(peer, sampled)),
      };
      print('93 recorded cases', results.recorded);
      print(`${sampled.length} cases around sampled clock changes, seed ${SEED}`, results.sampled);
      if (REPORT !== undefined) writeFileSync(REPORT, JSON.stringify({ seed: SEED, ...results }, null, 2));
      expect(results.sampled[0]?.grades.right).toBe(sampled.length);
    },
    HOUR_MS,
  );
});
