import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.js';
import { openPage } from '../support/dashboard.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { openShop } from './shop.js';

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const WIDTH = 1_280;
const AT_MOST_BYTES = 200_000;
const PATIENCE_MS = 600_000;

interface Picture {
  readonly name: string;
  readonly path: string;
  /** It is there when this is. */
  readonly shows: string;
  readonly height: number;
  /** What is done on the page before. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: '/', shows: 'nobody has acknowledged', height: 620 },
  { name: 'periods', path: '/periods', shows: 'Missing', height: 520 },
  { name: 'job', path: '/jobs/invoices?days=30', shows: 'Outcomes', height: 960 },
  { name: 'executions', path: '/executions?state=failed&state=running', shows: 'Running', height: 600 },
  { name: 'execution', path: '/executions/mail%3Aorder-10424', shows: 'the relay refuses', height: 930 },
  { name: 'dead-letters', path: '/dead-letters', shows: 'smtp-2', height: 720, act: beginReplay },
];

let database: TestDatabase;
let app: INestApplication;
let browser: Browser;

beforeAll(async () => {
  database = await createDatabase();
  app = await openShop(database.url);
  browser = await launchBrowser();
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await database.drop();
});

it.each(PICTURES)('$name', async ({ name, path, shows, height, act }) => {
  const { page, faults } = await openPage(browser, `${await app.getUrl()}/scheduled-jobs${path}`, { width: WIDTH });
  await page.setViewportSize({ width: WIDTH, height });
  await page.getByText(shows).first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.waitForFunction('document.querySelectorAll(".chart-host:not(:has(canvas)), .loading").length === 0');
  await act?.(page);
  const picture = await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  expect(picture.length).toBeLessThan(AT_MOST_BYTES);
  expect(faults).toEqual([]);
  await page.close();
});

async function beginReplay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Replay' }).first().click();
  await page.getByRole('dialog').getByText('4 of mail').waitFor();
}
