import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const library = (path: string): string =>
  JSON.stringify(new URL(`../../libs/scheduled-jobs/dist/core/${path}.js`, import.meta.url).href);

/** Plans the tick after ten years without one, and prints what it cost beside what it gave. */
const SCRIPT = `
  const { SchedulePlanner } = await import(${library('schedule/schedule-plan')});
  const { resolveJobs } = await import(${library('job/resolve-jobs')});
  const { storedShape } = await import(${library('schedule/stored-definition')});
  const { cron, period } = JSON.parse(process.env.CASE);
  const form = period === 'function' ? (at) => at.toISOString().slice(0, 13) : period;
  const options = { name: 'old', timeZone: 'Europe/Berlin', period: form };
  const idleBytes = process.memoryUsage().rss;
  const [job] = resolveJobs([{ kind: 'scheduled', cron, options, place: 'here' }], { timeZone: null, overrides: {} });
  const { expression, definition } = job.schedule;
  const shape = storedShape(definition, job.disabled);
  const version = { version: 1, validFrom: new Date('2016-01-01'), expression, timeZone: 'Europe/Berlin', shape };
  const began = process.cpuUsage();
  const plan = new SchedulePlanner([job], () => undefined).plan({
    jobName: 'old',
    cursorAt: new Date('2016-08-14T12:00:00Z'),
    now: new Date('2026-08-14T12:00:30Z'),
    versions: [version],
    suspensions: [],
  });
  const { user, system } = process.cpuUsage(began);
  console.log(JSON.stringify({
    executions: plan.executions.length,
    leftOut: plan.skippedRange.count,
    cpuMs: (user + system) / 1_000,
    megabytes: (process.resourceUsage().maxRSS * 1_024 - idleBytes) / 1e6,
  }));
`;

interface Cost {
  readonly executions: number;
  readonly leftOut: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

async function costOf(cron: string, period: string): Promise<Cost> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    env: { ...process.env, CASE: JSON.stringify({ cron, period }) },
  });
  return JSON.parse(stdout) as Cost;
}

describe('A cursor that is ten years old', () => {
  it.each([
    ['a minutely job', '* * * * *', 'auto', { executions: 1_000, leftOut: 3_652 * 1_440 - 1_001 }],
    ['a minutely job with one period per day', '* * * * *', 'day', { executions: 1, leftOut: 3_651 }],
    ['an hourly job with a function for its periods', '0 * * * *', 'function', { executions: 24, leftOut: 3_651 * 24 }],
  ])('of %s is planned in two seconds and 50 MB', async (_, cron, period, expected) => {
    const cost = await costOf(cron, period);
    expect(cost).toMatchObject(expected);
    expect(cost.cpuMs).toBeLessThan(2_000);
    expect(cost.megabytes).toBeLessThan(50);
  });
});
