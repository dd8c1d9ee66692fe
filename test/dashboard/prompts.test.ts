// The page while it waits for reads and passkey prompts, and when they fail.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { dashboardOfThisFile, goTo, signInAs, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

const alert = (page: Page, text: RegExp) => page.getByRole('alert').filter({ hasText: text });

/** Opens the sign-in with a changed configuration. */
async function configured(change: (config: Record<string, unknown>) => void): Promise<Page> {
  const page = await dashboard.open({ isHostile: true, path: 'sign-in' });
  await page.route('**/dashboard/config.json', async (route) => {
    const response = await route.fetch();
    const config = await response.json();
    change(config);
    await route.fulfill({ response, json: config });
  });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  return page;
}

test('a slow read shows that it loads, and no list before its answer', async () => {
  const page = await dashboard.openAs('Root user', { isHostile: true, path: 'users' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/public/v1/query/list_wallets', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${dashboard.origin()}/dashboard/wallets`);
  const loading = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Loading/ });
  await loading.waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
  assert.equal(await page.getByText('No wallets yet.').count(), 0);
  release();
  await page.getByRole('table', { name: 'Wallets' }).waitFor();
  assert.equal(await loading.count(), 0);
});

test('an error has its sentence, the request id, and a button that tries again', async () => {
  const page = await dashboard.open({ isHostile: true });
  let isBroken = true;
  await page.route('**/public/v1/query/list_users', async (route) => {
    if (!isBroken) return route.continue();
    return route.fulfill({
      status: 400,
      headers: { 'x-request-id': 'id-of-the-test' },
      json: { code: 3, message: 'broken by the test', details: [] },
    });
  });
  await signInAs(page, 'Root user');
  await goTo(page, 'Users');
  const problem = alert(page, /broken by the test/).first();
  await problem.getByText('Request id: id-of-the-test').waitFor();
  isBroken = false;
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Users' }).waitFor();
  assert.equal(await alert(page, /broken by the test/).count(), 0);
});

test('after a failed passkey, the page shows the expected origin and RP ID', async () => {
  const page = await configured((config) => {
    config['passkeyRpId'] = 'keys.example';
  });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const { host } = new URL(dashboard.origin());
  const expected = alert(page, new RegExp(host)).filter({ hasText: /keys\.example/ });
  await expected.waitFor();
});

test('a passkey prompt ends after a minute, or by “Cancel”', async () => {
  const page = await dashboard.open({ isHostile: true, path: 'sign-in' });
  // The user does not touch the key. Shorten only the timeout of the prompt, which is the last one of a
  // minute.
  await page.addInitScript(`
    globalThis.minutes = [];
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    let last;
    AbortSignal.timeout = (ms) => {
      if (ms !== 60_000) return timeout(ms);
      last = new AbortController();
      return last.signal;
    };
    navigator.credentials.get = ({ signal }) => new Promise((_, fail) => {
      globalThis.minutes.push(60_000);
      signal.addEventListener('abort', () => fail(signal.reason));
      if (globalThis.isShort) last.abort(new DOMException('over', 'TimeoutError'));
    });
  `);
  await page.reload();
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
  await signIn.click();
  await page
    .getByRole('status')
    .filter({ hasText: /^Confirm with your passkey/ })
    .waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await alert(page, /it was cancelled\. Try again/).waitFor();
  await page.evaluate('globalThis.isShort = true');
  await signIn.click();
  await alert(page, /^No passkey answered within 60 seconds/).waitFor();
  assert.deepEqual(await page.evaluate('globalThis.minutes'), [60_000, 60_000]);
});

test('the page asks for the organization only if it is unknown', async () => {
  const known = await dashboard.open({ path: 'sign-in' });
  await known.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  assert.equal(await known.getByRole('textbox', { name: 'Organization ID' }).count(), 0);
  const page = await configured((config) => {
    delete config['organizationId'];
  });
  await page.getByRole('textbox', { name: 'Organization ID' }).waitFor();
});
