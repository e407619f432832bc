import type { INestApplication } from '@nestjs/common';
import type { Browser, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, ScheduledJob, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { launchBrowser } from '../support/browser.js';
import { expectAccessible, openPage } from '../support/dashboard.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, freshSchema, jobsModule, nextEvent } from '../support/jobs-app.js';

const RUNBOOK = 'https://wiki.example.org/mail';

const DAY_MS = 86_400_000;
const NIGHTS = 12;

class Shop {
  isMended = false;

  @ScheduledJob('0 3 * * *', {
    name: 'nightly',
    timeZone: 'Asia/Shanghai',
    startAt: new Date(Date.now() - NIGHTS * DAY_MS),
    catchUp: { window: '30d' },
    overlap: 'allow',
  })
  nightly(): void {}

  @BackgroundJob({ name: 'mail', queue: 'mails', runbook: RUNBOOK, retry: { maxAttempts: 1 } })
  mail(): string {
    if (!this.isMended) throw new TypeError('the mail server refuses');
    return 'sent';
  }

  @BackgroundJob({ name: 'export' })
  async export(run: JobRun): Promise<void> {
    await new Promise((resolve) => {
      run.signal.addEventListener('abort', resolve, { once: true });
    });
    throw run.signal.reason as Error;
  }

  @ScheduledJob('0 6 * * *', { name: 'report', timeZone: 'Europe/Berlin', runbook: RUNBOOK })
  report({ period }: JobRun): string | null {
    return period;
  }
}

let database: TestDatabase;
let app: INestApplication;
let browser: Browser;
let dashboard: string;
let jobs: JobsClient;
const schema = freshSchema();

beforeAll(async () => {
  database = await createDatabase();
  const http = JobsHttpModule.forRoot({ access: 'host', actorOf: () => 'anna' });
  app = await createApp(jobsModule({ url: database.url, providers: [Shop], imports: [http], jobs: { schema } }));
  await app.listen(0, '127.0.0.1');
  dashboard = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/scheduled-jobs`;
  jobs = app.get(JobsClient);
  let failures = 0;
  const allFailed = nextEvent(
    app,
    'execution.ended',
    (event) => 'job' in event && event.job === 'mail' && (failures += 1) === 3,
  );
  for (const key of ['a', 'b', 'c']) await jobs.enqueue('mail', {}, { key });
  app.get(Worker).start();
  [browser] = await Promise.all([launchBrowser(), allFailed]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await database.drop();
});

const open = async (path: string): Promise<Page> => (await openPage(browser, `${dashboard}${path}`)).page;

/** Says why in the open dialog, and confirms. */
async function confirm(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'detached' });
}

const answerOf = async (path: string): Promise<unknown> => (await fetch(`${dashboard}/api${path}`)).json();
const stateOf = async (key: string): Promise<string | undefined> => (await jobs.get(key))?.state;

/** Takes away all that the ledger has of a period. */
async function lose(key: string): Promise<void> {
  const database = app.get(DataSource);
  for (const table of ['outcomes', 'attempts', 'keys']) {
    const ofKey = `execution_id in (select id from ${schema}.executions where key = $1)`;
    await database.query(`delete from ${schema}.${table} where ${ofKey}`, [key]);
  }
  await database.query(`delete from ${schema}.executions where key = $1`, [key]);
}

describe('the dashboard', () => {
  it('begins with what needs attention, hears of it, and leads to where it is acted on', async () => {
    const { page, faults } = await openPage(browser, dashboard);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'nightly' }).waitFor();
    await jobs.pause('export', { actor: 'bert', reason: 'too loud' });
    await page.getByText('by bert: too loud').waitFor();
    await jobs.resume('export', { actor: 'bert', reason: 'quiet now' });
    await expectAccessible(page);
    await page.getByText('3 executions failed, and nobody has acknowledged them.').click();
    await page.waitForURL(/\/dead-letters\?job=mail$/);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('shows every period of a schedule, unmistakably the one that is missing, and leads to executions', async () => {
    const nights = async () => (await jobs.find({ job: 'nightly', states: ['succeeded'] })).items;
    await expect.poll(nights).toHaveLength(NIGHTS);
    const [newest, older] = await nights();
    await lose(older?.key ?? '');
    const { page, faults } = await openPage(browser, `${dashboard}/periods`);
    const hole = page.getByRole('link', { name: `nightly ${older?.period} · Missing` });
    expect(await hole.getAttribute('class')).toBe('cell is-missing');
    await page.getByRole('link', { name: 'nightly', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tooltip').getByText('nothing is recorded').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: newest?.key ?? '' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: '24 h' }).click();
    await page.waitForURL(/\/periods\?from=/);
    await expect.poll(() => page.locator('.grid .cell').count()).toBe(1);
    await page.getByRole('link', { name: 'nightly', exact: true }).click();
    await page.waitForURL(/\/periods\/nightly\/\d{4}$/);
    await page.getByText('in Asia/Shanghai').waitFor();
    await page.getByRole('link', { name: `nightly ${newest?.period} · Succeeded` }).waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('fills a hole from its cell, after telling what that means', async () => {
    const { page, faults } = await openPage(browser, `${dashboard}/periods`);
    const hole = page.getByRole('link', { name: /^nightly \S+ · Missing: .* · backfill it$/ });
    const [, period = ''] = (await hole.getAttribute('aria-label'))?.split(' ') ?? [];
    await hole.click();
    const dialog = page.getByRole('dialog', { name: 'Backfill nightly' });
    await dialog.getByText('1 of 1 periods become executions.').waitFor();
    await dialog.getByText(`nightly:${period}`).waitFor();
    await expectAccessible(page);
    await confirm(page, 'Backfill 1', 'the record was lost');
    await page.waitForURL(/\/periods$/);
    await page.getByRole('link', { name: `nightly ${period} · Succeeded` }).waitFor();
    expect(await jobs.get(`nightly:${period}`)).toMatchObject({ trigger: 'backfill', actor: 'anna' });
    await page.getByRole('link', { name: 'Backfills' }).click();
    await page.getByRole('row', { name: /nightly Done .*1 of 1.* anna the record was lost/ }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('cancels what runs, and shows its end as soon as it is told', async () => {
    const started = nextEvent(app, 'attempt.started', (event) => 'job' in event && event.job === 'export');
    await jobs.enqueue('export', {}, { key: 'long' });
    await started;
    const page = await open('/executions/export%3Along');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await confirm(page, 'Cancel it', 'the customer has left');
    await page.getByText('export:long was asked to stop.').waitFor();
    await page.locator('.standing').getByText('Canceled', { exact: true }).waitFor();
    await page.getByText('anna: the customer has left').waitFor();
    expect(await stateOf('export:long')).toBe('canceled');
    await page.close();
  });

  it('leads from the dead letters to the cause and the runbook, and retries one', async () => {
    const page = await open('/dead-letters');
    await page.getByText('the mail server refuses').waitFor();
    await page.getByRole('link', { name: 'mail:a' }).click();
    await page.getByRole('link', { name: RUNBOOK }).waitFor();
    app.get(Shop).isMended = true;
    await page.getByRole('button', { name: 'Retry' }).click();
    await confirm(page, 'Retry', 'the server is back');
    await page.locator('.standing').getByText('Succeeded', { exact: true }).waitFor();
    expect(await stateOf('mail:a')).toBe('succeeded');
    await page.close();
  });

  it('replays many after showing which', async () => {
    const page = await open('/dead-letters');
    await page.getByRole('button', { name: 'Replay all with TypeError' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay 2 dead letters' });
    await dialog.getByText('2 of mail, TypeError').waitFor();
    await expectAccessible(page);
    await confirm(page, 'Replay 2', 'the server is back');
    await page.getByText('There are no dead letters.').waitFor();
    await expect.poll(() => Promise.all([stateOf('mail:b'), stateOf('mail:c')])).toEqual(['succeeded', 'succeeded']);
    await page.close();
  });

  it('acknowledges many after showing which', async () => {
    app.get(Shop).isMended = false;
    for (const key of ['d', 'e']) await jobs.enqueue('mail', {}, { key });
    await expect.poll(async () => (await jobs.deadLetters()).items).toHaveLength(2);
    app.get(Shop).isMended = true;
    const page = await open('/dead-letters?job=mail');
    await page.getByRole('button', { name: 'Acknowledge all with TypeError' }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge what the filter means' }).click();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge 2 dead letters' });
    await dialog.getByText('2 of mail, TypeError').waitFor();
    await expectAccessible(page);
    await confirm(page, 'Acknowledge 2', 'everybody knows');
    await page.getByText('No dead letter fits this filter.').waitFor();
    expect(await jobs.get('mail:d')).toMatchObject({ state: 'failed', acknowledged: { actor: 'anna' } });
    await page.close();
  });

  it('pauses a queue and resumes it, and the audit tells who, when and why', async () => {
    await jobs.enqueue('export', {}, { key: 'next-week', runAt: new Date(Date.now() + 7 * DAY_MS) });
    await jobs.cancel('export:next-week', { actor: 'bert', reason: 'the customer waits no more' });
    const page = await open('/queues');
    await page.getByRole('button', { name: 'Pause mails' }).click();
    await confirm(page, 'Pause', 'the provider is down');
    await page.getByText('by anna: the provider is down').waitFor();
    expect((await jobs.queues()).find(({ name }) => name === 'mails')?.pause).toMatchObject({ actor: 'anna' });
    await page.getByRole('button', { name: 'Resume mails' }).click();
    await confirm(page, 'Resume', 'it is back');
    await page.getByRole('button', { name: 'Pause mails' }).waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    for (const text of ['the provider is down', 'it is back', 'the customer waits no more']) {
      await page.getByRole('cell', { name: text }).first().waitFor();
    }
    await expectAccessible(page);
    await page.getByLabel('Action').selectOption('pause-queue');
    await page.waitForURL(/action=pause-queue/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.close();
  });

  it('pauses a job, says who did and why, and resumes it', async () => {
    const page = await open('/jobs');
    await page.getByRole('row', { name: /report Ready At 06:00/ }).waitFor();
    await page.getByRole('link', { name: 'report' }).click();
    await page.getByRole('heading', { level: 1, name: 'report' }).waitFor();
    await page.getByRole('link', { name: RUNBOOK }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await confirm(page, 'Pause', 'the books are closed');
    await page.getByText('by anna: the books are closed').waitFor();
    expect(await answerOf('/jobs/report')).toMatchObject({ paused: { actor: 'anna' }, deadLetters: 0 });
    await page.getByRole('button', { name: 'Resume' }).click();
    await confirm(page, 'Resume', 'they are open');
    await page.locator('.standing').getByText('Ready').waitFor();
    await page.getByRole('row', { name: /Paused .* the books are closed → anna: they are open left out/ }).waitFor();
    await page.close();
  });

  it('backfills a job after telling what that means', async () => {
    const page = await open('/jobs/report');
    await page.getByRole('button', { name: 'Backfill' }).click();
    const dialog = page.getByRole('dialog', { name: 'Backfill report' });
    await dialog.getByLabel('To (UTC)').fill('2025-06-01T00:00');
    await dialog.getByText('must not be before').waitFor();
    expect(await dialog.getByRole('button', { name: 'Backfill' }).isDisabled()).toBe(true);
    await dialog.getByLabel('From (UTC)').fill('2025-06-10T00:00');
    await dialog.getByLabel('To (UTC)').fill('2025-06-12T12:00');
    await dialog.getByText('report:2025-06-10 … report:2025-06-12').waitFor();
    await expectAccessible(page);
    await confirm(page, 'Backfill 3', 'the import was late');
    await page.getByText('3 periods wait to be executed.').waitFor();
    await page.getByRole('link', { name: 'report:2025-06-12' }).waitFor();
    await expect.poll(() => stateOf('report:2025-06-12')).toBe('succeeded');
    await page.close();
  });

  it('shows how far a backfill has come, cancels it, and is led to it by the audit', async () => {
    await jobs.pause('report', { actor: 'bert', reason: 'not now' });
    const range = {
      from: '2025-05-01T00:00:00Z',
      to: '2025-05-03T12:00:00Z',
      actor: 'bert',
      reason: 'the wrong month',
    };
    const { backfillId } = await jobs.backfill('report', range);
    const page = await open('/jobs/report');
    await page.getByRole('link', { name: 'its backfills' }).click();
    await page.getByRole('row', { name: /report Open .*0 of 3.* bert the wrong month/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Cancel backfill ${backfillId}` }).click();
    await confirm(page, 'Cancel 3', 'June was meant');
    await page.getByRole('row', { name: /report Canceled .*3 canceled/ }).waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page
      .getByRole('row', { name: /anna canceled a backfill/ })
      .getByRole('link', { name: backfillId })
      .click();
    await page.getByRole('heading', { level: 1, name: `Backfill ${backfillId}` }).waitFor();
    await page.getByText('anna: June was meant').waitFor();
    await expectAccessible(page);
    await jobs.resume('report', { actor: 'bert', reason: 'go on' });
    await page.close();
  });

  it('draws how a job went, with a table for those who cannot see it, and loads the drawing for that alone', async () => {
    const page = await open('/jobs');
    const loaded = (): Promise<number> =>
      page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.includes('/plot-')).length`);
    await page.getByRole('link', { name: 'report' }).waitFor();
    expect(await loaded()).toBe(0);
    await page.getByRole('link', { name: 'report' }).click();
    await page.getByRole('button', { name: 'Trigger' }).click();
    await confirm(page, 'Trigger', 'to see it run');
    await page.getByText(/^report:.* waits to be executed\.$/).waitFor();
    await page.locator('tbody tr').filter({ hasText: 'trigger' }).getByText('Succeeded').waitFor();
    await page.goto(`${dashboard}/jobs/report?days=never`);
    await page.locator('.chart canvas').first().waitFor();
    await page.getByText('1 of 1 that ran').waitFor();
    await page.getByRole('img', { name: 'Outcomes: 0 failed, 0 with errors, 1 succeeded' }).waitFor();
    await page.getByText(/as a table$/).click();
    await page.getByRole('region', { name: 'By stretches of 1 h 00 m' }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, ['color-contrast']);
    await page.close();
  });

  it('shows the process it talks to', async () => {
    const page = await open('/instances');
    await page.getByText('Alive').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('cell', { name: 'scheduler' }).waitFor();
    await page.close();
  });
});
