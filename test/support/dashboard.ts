import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

interface AxeWindow {
  readonly axe: { run(options: { readonly runOnly?: string[] }): Promise<AxeResults> };
}

/** A page, and everything that went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, what the content security policy refused, and dialogs, which nothing of ours opens. */
  readonly faults: readonly string[];
  /** The addresses that it asked of the API. */
  readonly asked: readonly string[];
}

interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Opens an address in a page of its own. */
export async function openPage(
  browser: Browser,
  address: string,
  { colorScheme = 'light', width = 1_440 }: PageOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme,
    viewport: { width, height: 900 },
  });
  const faults: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // a stream that the server does not have yet, or that ends with it, is no fault
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.push(request.url());
  });
  await page.goto(address);
  return { page, faults, asked };
}

/** Fails for every serious or critical fault that axe-core finds in what the page shows, by some rules or all. */
export async function expectAccessible(page: Page, rules: readonly string[] | null = null): Promise<void> {
  // as the debugger evaluates it, the page's policy has no say in it
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (runOnly) => (globalThis as unknown as AxeWindow).axe.run(runOnly === null ? {} : { runOnly }),
    rules === null ? null : [...rules],
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

/** Hides the page, as another tab in front of it does, or shows it again. */
export async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      const { document } = globalThis as unknown as { document: EventTarget };
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    isVisible ? 'visible' : 'hidden',
  );
}
