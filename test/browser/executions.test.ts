import type { INestApplication } from '@nestjs/common';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { launchBrowser } from '../support/browser.js';
import { expectAccessible, openPage, setVisible, type WatchedPage } from '../support/dashboard.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

const EVIL_LINK = 'javascript:alert(3)';
const EVIL = `<img src=x onerror=alert(1)></script><script>alert(2)</script>`;

class Shop {
  @BackgroundJob({ name: 'mail', queue: 'mails', runbook: EVIL_LINK, retry: { maxAttempts: 1 } })
  async mail(run: JobRun): Promise<unknown> {
    await run.step(`send ${EVIL}`, () => ({ [EVIL]: EVIL }));
    run.log.warn(`logged ${EVIL}`, { [EVIL]: EVIL });
    run.progress({ stage: `stage ${EVIL}`, percent: 50 });
    await run.items(
      {
        name: `parts ${EVIL}`,
        key: (item: string) => item,
        source: (after) => Promise.resolve(after === null ? [`item ${EVIL}`] : []),
        size: 1,
        onError: 'skip',
        maxFailures: 5,
      },
      () => Promise.reject(new TypeError(`broken ${EVIL}`)),
    );
    throw Object.assign(new RangeError(`thrown ${EVIL}`), { code: EVIL });
  }

  @BackgroundJob({ name: 'unheard', queue: 'quiet-ones' })
  unheard(): void {}

  @BackgroundJob({ name: 'quiet' })
  quiet(): string {
    return 'done';
  }
}

let database: TestDatabase;
let app: INestApplication;
let browser: Browser;
let dashboard: string;
let brokenId: string;

beforeAll(async () => {
  database = await createDatabase();
  const http = JobsHttpModule.forRoot({ access: 'host', path: '/ops/jobs', showStacks: true, actorOf: () => EVIL });
  app = await createApp(jobsModule({ url: database.url, providers: [Shop], imports: [http] }), 'fastify');
  app.setGlobalPrefix('v2');
  await app.listen(0, '127.0.0.1');
  dashboard = `${await app.getUrl()}/v2/ops/jobs`;
  const jobs = app.get(JobsClient);
  const failed = nextEvent(app, 'execution.ended', (event) => 'state' in event && event.state === 'failed');
  for (let number = 1; number <= 60; number += 1) await jobs.enqueue('quiet', { number }, { key: `note-${number}` });
  const { execution } = await jobs.enqueue('mail', { [EVIL]: EVIL }, { key: EVIL });
  brokenId = execution?.executionId ?? '';
  await jobs.pauseQueue('quiet-ones', { actor: EVIL, reason: EVIL });
  app.get(Worker).start();
  [browser] = await Promise.all([launchBrowser(), failed]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await database.drop();
});

const open = (path: string, options?: Parameters<typeof openPage>[2]): Promise<WatchedPage> =>
  openPage(browser, `${dashboard}${path}`, options);

describe('the dashboard', () => {
  it('leads from the list to an execution, and keeps filters in the address', async () => {
    const { page, faults } = await open('/executions');
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.waitForURL(/\/executions\?state=failed$/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: 'Failed', pressed: true }).waitFor();
    await page.locator('tbody a').click();
    await page.waitForURL(`${dashboard}/executions/${brokenId}`);
    await page.getByText('RangeError').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'mail:' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/cursor=/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(11);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('shows everything that the ledger holds as text, whatever it is', async () => {
    const { page, faults } = await open(`/executions/${brokenId}`);
    const texts = [`send ${EVIL}`, `logged ${EVIL}`, `thrown ${EVIL}`, `item ${EVIL}`, `broken ${EVIL}`];
    for (const text of texts) await page.getByText(text).first().waitFor();
    await page.getByText(EVIL_LINK, { exact: true }).waitFor();
    expect(await page.locator('h1').textContent()).toBe(`mail:${EVIL}`);
    expect(await page.locator('.timeline .after').nth(1).textContent()).toMatch(/^\+\d/);
    expect(await page.locator('img, #app script, a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('link', { name: 'Executions' }).click();
    await page.getByText(`mail:${EVIL}`).waitFor();
    expect(await page.locator('img, #app script').count()).toBe(0);
    for (const screen of ['Dead letters', 'Queues', 'Audit']) {
      await page.getByRole('link', { name: screen }).click();
      await page.getByText(EVIL).first().waitFor();
      expect(await page.locator('img, #app script').count(), screen).toBe(0);
    }
    await page.goto(`${dashboard}/executions/${encodeURIComponent(EVIL)}?job=${encodeURIComponent(EVIL)}`);
    await page.getByText('JOBS_EXECUTION_NOT_FOUND').waitFor();
    await page.goto(`${dashboard}/jobs/mail`);
    await page.getByText(EVIL_LINK, { exact: true }).waitFor();
    await page.getByText(`mail:${EVIL}`).waitFor();
    expect(await page.locator('img, #app script, a[href^="javascript"]').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('asks nothing while nobody sees it, and at once when somebody does', async () => {
    const { page, asked } = await open('/executions');
    await page.locator('tbody tr').first().waitFor();
    await page.clock.install();
    await page.reload(); // its timers are the clock's from now on
    await page.locator('tbody tr').first().waitFor();
    await setVisible(page, false);
    await page.getByText('Paused').waitFor();
    const before = asked.length;
    await page.clock.fastForward('30:00');
    expect(asked.slice(before)).toEqual([]);
    await setVisible(page, true);
    await expect.poll(() => asked.slice(before)).toContain(`${dashboard}/api/executions`);
    await page.close();
  });

  it('gives up what is asked for when something else is wanted', async () => {
    const { page } = await open('/executions');
    await page.locator('tbody tr').first().waitFor();
    const givenUp: string[] = [];
    page.on('requestfailed', (request) => givenUp.push(request.url()));
    // it is never answered
    await page.route(/executions\?state=failed$/, () => undefined);
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('button', { name: 'Skipped' }).click();
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByText('No execution fits this filter.').waitFor();
    await expect.poll(() => givenUp).toContain(`${dashboard}/api/executions?state=failed`);
    await page.close();
  });

  it('says once that nothing can be read, and how old what it shows is, until there are answers again', async () => {
    const { page, faults } = await open('/');
    await page.getByRole('link', { name: 'Dead letters 1' }).waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await setVisible(page, false);
    await setVisible(page, true);
    await page.getByRole('alert').getByText('What is shown was read').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByText('No data', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Dead letters 1' }).waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/**');
    await setVisible(page, false);
    await setVisible(page, true);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await page.close();
  });

  it('shows no button to those who may not press it', async () => {
    const { page } = await open('/');
    const readers = { actor: 'rita', permissions: ['read'], version: '1.0.0' };
    await page.route('**/api/session', (route) => route.fulfill({ json: readers }));
    const verbs = /^(?:Acknowledge|Backfill|Cancel|Pause|Replay|Resume|Retry|Trigger)/;
    for (const [path, shown] of [
      [`/executions/${brokenId}`, 'RangeError'],
      ['/dead-letters?job=mail', 'RangeError'],
      ['/queues', 'quiet-ones'],
      ['/jobs/mail', 'Latest executions'],
    ] as const) {
      await page.goto(`${dashboard}${path}`);
      await page.getByText('rita').waitFor();
      await page.getByText(shown).first().waitFor();
      expect(await page.getByRole('button', { name: verbs }).count(), path).toBe(0);
    }
    await page.close();
  });

  it('names the zone of every time', async () => {
    const { page } = await open('/executions');
    const times = page.locator('tbody time');
    const zones = async (): Promise<readonly string[]> => [
      ...new Set((await times.allTextContents()).map((text) => text.split(' ').at(-1) ?? '')),
    ];
    await times.first().waitFor();
    expect(await zones()).toEqual(['UTC']);
    await page.getByLabel('Times in').selectOption('Europe/Berlin');
    await expect.poll(async () => (await zones()).join()).toMatch(/^\+0[12]:00$/);
    await page.close();
  });

  it('takes no redacted secret for the payload of a retry', async () => {
    const { page } = await open(`/executions/${brokenId}`);
    await page.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Correct the payload').click();
    await dialog.getByLabel('Payload').fill('{"password":"[redacted]"}');
    await dialog.getByLabel('Reason').fill('the password was wrong');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('Give the secret itself.').waitFor();
    expect((await app.get(JobsClient).get(brokenId))?.state).toBe('failed');
    await page.close();
  });

  it('has no serious fault for assistive technology, and enough contrast when it is dark, too', async () => {
    const light = await open('/executions?job=mail');
    await light.page.locator('tbody tr').first().waitFor();
    await expectAccessible(light.page);
    await light.page.goto(`${dashboard}/executions/${brokenId}`);
    await light.page.getByText('RangeError').first().waitFor();
    await expectAccessible(light.page);
    const dark = await open(`/executions/${brokenId}`, { colorScheme: 'dark' });
    await dark.page.getByText('RangeError').first().waitFor();
    await expectAccessible(dark.page, ['color-contrast']);
    await Promise.all([light.page.close(), dark.page.close()]);
  });

  it('fits a narrow screen, and tells there first what is wrong', async () => {
    const { page } = await open('/', { width: 320 });
    for (const path of [
      '/',
      '/periods',
      '/jobs',
      '/jobs/mail',
      '/dead-letters',
      '/queues',
      '/backfills',
      '/instances',
      '/audit',
    ]) {
      await page.goto(`${dashboard}${path}`);
      await page.locator('.answer').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320);
    }
    await page.goto(`${dashboard}/executions/${brokenId}`);
    const top = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.y ?? 0;
    await page.locator('.error-note').waitFor();
    expect(await top('.error-note')).toBeLessThan(await top('aside'));
    expect(await top('aside')).toBeLessThan(await top('.strip'));
    await page.close();
  });

  it('is used by keyboard alone', async () => {
    const { page } = await open('/');
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('quiet:note-7');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'quiet:note-7' }).waitFor();
    await page.getByText('Succeeded').first().waitFor();
    expect(await page.title()).toBe('quiet:note-7 · Succeeded · Scheduled jobs');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.close();
  });
});
