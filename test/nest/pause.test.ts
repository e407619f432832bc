import {
  BackgroundJob,
  InvalidRequestError,
  JobPausedError,
  ScheduledJob,
  Scheduler,
  UnknownJobError,
  Worker,
  type JobRun,
} from 'nestjs-scheduled-jobs';
import { afterEach, describe, expect, it } from 'vitest';
import { ClientApp } from '../support/client-app.js';
import { eventually, gate } from '../support/engine.js';

const HOUR_MS = 3_600_000;
const startAt = new Date(Date.now() - 5 * HOUR_MS);
const held = gate();

class Jobs {
  @BackgroundJob({ name: 'export' })
  async export(run: JobRun<{ readonly hold?: boolean }>): Promise<void> {
    if (run.payload.hold === true) await held.passed;
  }

  @BackgroundJob({ name: 'other' })
  other(): void {}

  @ScheduledJob('0 * * * *', { name: 'hourly', startAt })
  hourly(): void {}
}

const client = new ClientApp([Jobs]);
const why = { actor: 'anna', reason: 'maintenance' };
const stateOf = async (key: string) => (await client.jobs.get(key))?.state;
const succeeded = (key: string) => eventually(async () => (await stateOf(key)) === 'succeeded', { what: key });

afterEach(async () => {
  for (const job of ['export', 'other', 'hourly']) await client.jobs.resume(job, { reason: 'end of a test' });
});

describe('pause', () => {
  it('lets running executions finish, keeps waiting ones, and goes on with them when it is resumed', async () => {
    client.app.get(Worker).start();
    await client.jobs.enqueue('export', { hold: true }, { key: 'running' });
    await eventually(async () => (await stateOf('export:running')) === 'running');
    const paused = await client.jobs.pause('export', why);
    expect(paused).toEqual({ changed: true, at: expect.any(Date) });
    await client.jobs.enqueue('export', {}, { key: 'waiting' });
    await client.jobs.enqueue('other', {}, { key: 'later' });
    await succeeded('other:later');
    expect([await stateOf('export:running'), await stateOf('export:waiting')]).toEqual(['running', 'pending']);
    held.open();
    await succeeded('export:running');
    await client.jobs.enqueue('other', {}, { key: 'last' });
    await succeeded('other:last');
    expect(await stateOf('export:waiting')).toBe('pending');
    expect(await client.jobs.resume('export', why)).toEqual({ changed: true, at: expect.any(Date) });
    await succeeded('export:waiting');
    await client.app.get(Worker).stop();
  });

  it('of a scheduled job leaves its periods to the resume, which catches up where it is told to', async () => {
    const recorded = async () => {
      await client.app.get(Scheduler).runOnce();
      const { items } = await client.jobs.find({ job: 'hourly' });
      return items.map(({ scheduledFor }) => scheduledFor.getTime()).toReversed();
    };
    await client.jobs.pause('hourly', why);
    const [pause] = await client.dataSource.query<{ from_at: Date }[]>(
      `with moved as (
         update ${client.schema}.suspensions set from_at = from_at - interval '3 hours' where to_at is null returning from_at)
       select from_at from moved`,
    );
    const firstHour = Math.floor(startAt.getTime() / HOUR_MS + 1) * HOUR_MS;
    const hours = Array.from({ length: 5 }, (_, index) => firstHour + index * HOUR_MS);
    const before = hours.filter((hour) => hour <= pause!.from_at.getTime());
    expect(await recorded()).toEqual(before);
    await client.jobs.resume('hourly', { ...why, catchUp: true });
    expect((await recorded()).slice(0, 5)).toEqual(hours);
    expect(before.length).toBeLessThan(5);
  });

  it('answers a second call with the first one', async () => {
    const first = await client.jobs.pause('other', { reason: 'maintenance' });
    expect(await client.jobs.pause('other', { actor: 'bert', reason: 'another' })).toEqual({
      ...first,
      changed: false,
    });
    const resumed = await client.jobs.resume('other', why);
    expect(resumed.changed).toBe(true);
    expect(await client.jobs.resume('other', why)).toMatchObject({ changed: false });
  });

  it('refuses a trigger, unless it is forced; then the execution waits', async () => {
    const { at } = await client.jobs.pause('other', why);
    const refused = await client.jobs.trigger('other', { key: 'refused' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(JobPausedError);
    expect(refused).toMatchObject({ code: 'JOBS_JOB_PAUSED', jobName: 'other', pausedAt: at, reason: 'maintenance' });
    expect(await client.jobs.get('other:manual:refused')).toBeNull();
    const forced = await client.jobs.trigger('other', { key: 'forced', force: true });
    expect(forced).toMatchObject({ created: true, execution: { key: 'other:manual:forced' } });
    await client.jobs.resume('other', why);
    expect(await client.jobs.trigger('other', { key: 'refused' })).toMatchObject({ created: true });
  });

  it.each([
    ['pause', {}, ['reason is required']],
    ['pause', undefined, ['reason is required']],
    ['pause', { reason: '' }, ['reason is required']],
    ['pause', { reason: 'x'.repeat(1_001) }, ['of 1 to 1000 characters']],
    ['pause', { reason: 'a\u0000', actor: 'x'.repeat(201) }, ['actor must be', 'reason is required']],
    ['pause', { reason: 'r', catchUp: true }, ['catchUp is not an option']],
    ['resume', { reason: 'r', catchup: true }, ['Did you mean "catchUp"?']],
    ['resume', { reason: 'r', catchUp: 'yes' }, ['catchUp must be true or false']],
    ['resume', { reason: 'r', catchUp: true }, ['catchUp belongs to scheduled jobs']],
  ] as const)('refuses a %s with %j', async (operation, options, problems) => {
    const error = await client.jobs[operation]('other', options as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    for (const problem of problems) expect((error as Error).message).toContain(problem);
    expect((error as Error).message).toContain(`Cannot ${operation} "other":`);
  });

  it('refuses jobs that the application does not have', async () => {
    await expect(client.jobs.pause('exports', why)).rejects.toThrow('Did you mean "export"?');
    await expect(client.jobs.resume('exports', why)).rejects.toThrow(UnknownJobError);
  });
});
