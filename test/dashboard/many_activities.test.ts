// A list of a thousand activities of a real service (with SOAK 2,500): paged by cursors, updated live, and
// scrolled without a change of the page. `npm run page` measures the processor time for 10,000.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { signMany } from '../support/many_signatures.ts';
import { before, dashboardOfThisFile, goTo, loadMore, test } from './dashboard.ts';

const most = process.env['SOAK'] === undefined ? 1_000 : 2_500;

const dashboard = await dashboardOfThisFile();

let page: Page;
let root: Client;
/** Cursors of the requested pages; undefined: the newest page. */
const requestedCursors: (string | undefined)[] = [];

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  await signMany(root, most);
  page = await dashboard.openAs('Root user', { path: 'users' });
  page.on('request', (request) => {
    const isList = request.url().endsWith('/query/list_activities');
    if (!isList || request.headers()['prefer'] !== undefined) return;
    const { paginationOptions, filterByStatus } = request.postDataJSON();
    const isOfTable = ['50', '100'].includes(paginationOptions?.limit);
    if (isOfTable && filterByStatus?.length === 0) requestedCursors.push(paginationOptions.after);
  });
});

const table = () => page.getByRole('table', { name: 'Activities' });
const rows = () => table().locator('tbody tr');
const more = () => page.getByRole('button', { name: 'Load more' });
const shownIds = () =>
  table()
    .locator('tbody tr a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').at(-1)));

test('the first page of many activities is read once, and holds 50', async () => {
  await goTo(page, 'Activities');
  await rows().nth(49).waitFor();
  assert.equal(await rows().count(), 50);
  assert.deepEqual(requestedCursors, [undefined]);
});

test('“Load more” reads only the next page', async () => {
  await more().waitFor();
  await loadMore(page);
  const ids = await shownIds();
  const known: string[] = [];
  for await (const { id } of root.pages('list_activities')) known.push(id);
  assert.deepEqual(ids, known);
  assert(ids.length > most);
  const cursors = requestedCursors.filter((after) => after !== undefined);
  assert.equal(new Set(cursors).size, cursors.length);
  assert.equal(cursors.length, Math.floor((ids.length - 50) / 100) + 1);
});

test('new activities appear first, and only the newest page is read', async () => {
  const before = requestedCursors.length;
  const first = rows().first();
  await root.submit('create_user_tag', { userTagName: 'newest', userIds: [] });
  await first.filter({ hasText: 'Create user tag' }).waitFor();
  assert(requestedCursors.slice(before).every((after) => after === undefined));
  assert((await shownIds()).length > most + 1);
});

test('scrolling through many activities changes no element and sends no request', async () => {
  // Updates of the previous test may still arrive, so wait until nothing has changed for half a second.
  await page.evaluate(
    `new Promise((quiet) => {
      let timer = setTimeout(quiet, 500);
      new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(quiet, 500);
      }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
    })`,
  );
  const before = requestedCursors.length;
  const changes = await page.evaluate(
    `(async () => {
      let changes = 0;
      const seen = new MutationObserver((records) => { changes += records.length; });
      seen.observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true });
      const shown = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      for (let step = 0; step < 20; step += 1) {
        scrollTo(0, document.documentElement.scrollHeight * step / 20);
        await shown();
      }
      seen.disconnect();
      return changes;
    })()`,
  );
  assert.equal(changes, 0);
  assert.equal(requestedCursors.length, before);
});
