import { inject, describe, expect, it } from 'vitest';
import { OURS } from '../../bench/measure.mjs';
import { MEASURES } from '../../bench/measures.mjs';
import { summarize, table } from '../../bench/report.mjs';
import { runMeasures } from '../../bench/session.mjs';
import { SMALL } from '../../bench/sizes.mjs';
import { limit, ratio } from '../../bench/targets.mjs';

type Measure = (typeof MEASURES)[number];

const sizes = { ...SMALL, drained: 20, enqueuedInBulk: 20, enqueuedSingly: 20, latencySamples: 2, idleSeconds: 0.1 };
const MACHINE = { node: 'v1', sidesNode: 'v2', postgres: '18', cores: 2, processor: 'p', memory: '1 GiB' };

function run(measures: readonly Measure[], options: { readonly repetitions: number; readonly told?: string[] }) {
  const world = {
    server: { url: inject('databaseUrl'), pid: 0 },
    node: process.execPath,
    sizes: { ...sizes, finishedRows: 100, cycles: 20 },
  };
  const plan = { measures, repetitions: options.repetitions, isOursOnly: true };
  return runMeasures(plan, world, { tell: (line) => options.told?.push(line) });
}

describe('npm run bench', () => {
  it.concurrent.each(MEASURES)('measures $name on our side', { timeout: 120_000 }, async (measure) => {
    // One of our contestants, the one that needs most of the code: each costs a process or two.
    const contestants = measure.contestants.filter(({ side }) => side === 'ours').slice(-1);
    const [runs] = await run([{ ...measure, contestants }], { repetitions: 1 });
    expect(runs?.failures).toEqual([]);
    const figures = Object.values(runs?.repetitions[0] ?? {});
    expect(figures).toHaveLength(1);
    for (const one of figures) expect(Object.keys(one).length).toBeGreaterThan(1);
  });
});

describe('a session of measures', () => {
  const measure = (name: string, value: (repetition: number) => number): Measure => {
    let repetition = 0;
    return {
      name,
      what: () => name,
      contestants: [OURS, { name: 'other', side: 'ours' }],
      targets: () => [limit('ours', 'seconds', { atMost: 3 }), ratio('seconds', ['ours', 'other'], { atMost: 1 })],
      seconds: () => 1,
      run: async (_bench, { name: contestant }) => ({ seconds: contestant === 'ours' ? value(++repetition) : 2 }),
    };
  };

  it('goes on after a failure and keeps what it has', async () => {
    const failing = measure('failing', (repetition) => {
      if (repetition > 1) throw new Error('boom');
      return 1;
    });
    const told: string[] = [];
    const [first, second] = await run([failing, measure('sound', () => 1)], { repetitions: 4, told });
    expect(first?.repetitions.map(Object.keys)).toEqual([['ours', 'other'], ['other'], ['other'], ['other']]);
    expect(first?.failures).toEqual(['failing, ours: boom', 'failing, ours: boom']);
    expect(second?.repetitions).toHaveLength(4);
    expect(told).toContain('FAILED failing, ours: boom');
  });

  it('judges the median of the ratios of single repetitions', async () => {
    const [runs] = await run([measure('m', (repetition) => repetition)], { repetitions: 3 });
    const result = summarize(runs!, sizes);
    expect(result.targets).toMatchObject([
      { min: 1, median: 2, max: 3, atMost: 3, holds: true },
      { min: 0.5, median: 1, max: 1.5, atMost: 1, holds: true },
    ]);
    expect(table(MACHINE, [result])).toContain('ours    2.00 (1.00 … 3.00)');
  });
});
