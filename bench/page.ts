// Measures the dashboard's use of the browser's main thread: node bench/page.ts. It drives the built page
// with `keywright dev` and Chromium, and compares each figure with plain rows in the same browser.

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { apiKey, connect } from '../src/client/index.ts';
import { dashboardBuild } from '../test/dashboard/build.ts';
import { goTo, loadMore, signInAs } from '../test/dashboard/dashboard.ts';
import { launchBrowser, missingBrowser } from '../test/e2e/browser/browser.ts';
import { startDev } from '../test/e2e/dev_service.ts';
import { temporaryDirectory } from '../test/e2e/service.ts';
import { signMany } from '../test/support/many_signatures.ts';
import { longestTaskMs, tasksMs } from './tasks.ts';

const { values } = parseArgs({ options: { activities: { type: 'string', default: '10000' } } });
const most = Number(values.activities);
const times = 3;
const timeoutMs = 60_000;

if (missingBrowser !== undefined) throw new Error(missingBrowser);
const folder = temporaryDirectory();
const service = await startDev(folder, '--dashboard-dir', await dashboardBuild());
const browser = await launchBrowser();
try {
  const of = service.credentials('root-credentials');
  const { organizationId } = of;
  const client = connect({ url: service.baseUrl, organizationId, stamp: await apiKey(of) });
  await signMany(client, most);
  const origin = service.baseUrl.replace('127.0.0.1', 'localhost');
  const page = await newPage();
  const plain = await newPage();
  print('what of the main thread', 'ms', 'plain page', 'aim');
  print(
    'first screen',
    await best(page, () => openFirstScreen(page, origin)),
    await best(plain, () => showPlainRows(plain, 0)),
    150,
  );
  await signInAs(page, 'Root user');
  print(
    'first page of activities',
    await best(
      page,
      () => openActivities(page),
      () => goTo(page, 'Overview'),
    ),
    await best(plain, () => showPlainRows(plain, 50)),
    200,
  );
  await loadMore(page);
  const rows = await page.locator('main tbody tr').count();
  assert(rows > most);
  await showPlainRows(plain, rows);
  print(
    `longest task while ${rows} scroll`,
    await longestTaskMs(page, () => scrollThrough(page)),
    await longestTaskMs(plain, () => scrollThrough(plain)),
    50,
  );
} finally {
  await browser.close();
  await service.stop();
}

async function newPage(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(timeoutMs);
  return page;
}

/**
 * Returns the minimum of several runs, since cache misses caused by other processes do not belong to the
 * page.
 */
async function best(
  page: Page,
  act: () => Promise<void>,
  prepare: () => Promise<unknown> = () => page.goto('about:blank'),
): Promise<number> {
  const spent: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await prepare();
    spent.push(await tasksMs(page, act));
  }
  return Math.min(...spent);
}

async function openFirstScreen(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard/`);
  await page.getByRole('group', { name: 'Demo people' }).getByRole('button').nth(3).waitFor();
}

async function openActivities(page: Page): Promise<void> {
  await goTo(page, 'Activities');
  await page.locator('main tbody tr').nth(49).waitFor();
}

async function showPlainRows(page: Page, count: number): Promise<void> {
  const row = `<tr><th><a href="#">Sign raw payload</a></th>${'<td>a cell of a row</td>'.repeat(4)}</tr>`;
  await page.setContent(`<h1>plain</h1><table><tbody>${row.repeat(count)}</tbody></table>`);
}

/** Scrolls by wheel steps, and at times by the scroll bar. */
async function scrollThrough(page: Page): Promise<void> {
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.mouse.move(640, 450);
  for (let step = 0; step < 40; step += 1) {
    if (step % 8 === 7) await page.evaluate(`scrollTo(0, ${(height * step) / 40})`);
    else await page.mouse.wheel(0, 700);
    await page.evaluate(
      'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))',
    );
  }
}

function print(what: string, ...figures: readonly (string | number)[]): void {
  const texts = figures.map((one) => (typeof one === 'number' ? one.toFixed(1) : one).padStart(11));
  process.stdout.write(`${what.padEnd(34)}${texts.join('')}\n`);
}
