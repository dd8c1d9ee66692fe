// Visits every screen and dialog of the demo organization. Fails at a visible UUID outside of "Details", at a
// violation that axe reports, and at an element that Tab does not reach or that shows no focus.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { apiKey, connect } from '../../src/client/index.ts';
import { until } from '../e2e/service.ts';
import {
  assertAccessible,
  assertNotWider,
  before,
  dashboardOfThisFile,
  dialogOpened,
  leaveDialog,
  nextFrame,
  test,
} from './dashboard.ts';
import { tabThrough } from './keyboard.ts';

const dashboard = await dashboardOfThisFile();

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  const [root, alice, carol] = await Promise.all(
    ['root-credentials', 'alice', 'carol'].map(clientOf),
  );
  assert(root !== undefined && alice !== undefined && carol !== undefined);
  const { wallets } = await root.query('list_wallets');
  const { accounts } = await root.query('list_wallet_accounts', {});
  const walletOf = (name: string) =>
    wallets.find(({ walletName }) => walletName === name) ?? assert.fail(name);
  const addressOf = (name: string) =>
    accounts.find(
      ({ walletId, curve }) => walletId === walletOf(name).walletId && curve === 'CURVE_SECP256K1',
    )?.address ?? assert.fail(name);
  const { users } = await root.query('list_users', {});
  const idOf = (name: string) =>
    users.find(({ userName }) => userName === name)?.userId ?? assert.fail(name);
  await root.submit('create_user_tag', { userTagName: 'treasurers', userIds: [idOf('alice')] });
  await root.submit('create_policy', {
    policyName: 'two freeze and export',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'FREEZE' || activity.action == 'EXPORT'",
    consensus: `approvers.any(user, user.id == '${idOf('bob')}') && approvers.count() >= 2`,
    notes: '',
  });
  await root.submit('create_private_keys', {
    privateKeys: [
      {
        privateKeyName: 'deploy key',
        curve: 'CURVE_SECP256K1',
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        privateKeyTags: [],
      },
    ],
  });
  await root.submit('create_address_label', {
    label: 'payroll',
    addresses: [{ address: '0x000000000000000000000000000000000000dEaD', name: 'Burn address' }],
  });
  await root.submit('create_sub_organization', {
    subOrganizationName: 'Branch in Lisbon',
    rootUsers: [
      {
        userName: 'erin',
        userEmail: 'erin@example.com',
        apiKeys: [],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
  });
  await root.submit('create_freeze', {
    type: 'FREEZE_TYPE_PRIVATE_KEY',
    resourceId: (await root.query('list_private_keys', {})).privateKeys[0]?.privateKeyId ?? '',
  });
  // Waits for bob, so its consensus names a user.
  await alice.ask('create_freeze', {
    type: 'FREEZE_TYPE_WALLET',
    resourceId: walletOf('everyday').walletId,
    reason: 'The laptop was stolen.',
  });
  // Refused: its false clauses compare the ids of users and wallets.
  await carol.ask('sign_raw_payload', {
    signWith: addressOf('everyday'),
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
});

/** Text nodes and values of fields with a UUID that are visible and not inside of details. */
const visibleIds = `(async () => {
  const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
  let found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (element.closest('details') && !element.closest('summary')) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const text = own.map(({ data }) => data).join('') + ' ' + (element.value ?? '');
      if (!['option', 'select'].includes(element.localName) && uuid.test(text)) found.push(text.trim().slice(0, 300));
    }
  };
  // Names replace ids as soon as their reads end.
  const end = performance.now() + 3000;
  for (look(document); found.length > 0 && performance.now() < end; look(document)) {
    await new Promise(requestAnimationFrame);
    found = [];
  }
  return found;
})()`;

const shapeOf = (path: string) =>
  path.replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\/[0-9]+(?=$|\/)/gi, ':id');

/** Waits until the page shows no placeholder of a read, and its requests have ended. */
async function settled(page: Page, busy: ReadonlySet<unknown>): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await until('all reads have ended', async () => {
    // Each look at the page takes processor time.
    if (busy.size > 0) return false;
    await nextFrame(page);
    return busy.size === 0 && (await page.locator('.loading').count()) === 0;
  });
  await nextFrame(page);
}

/** Returns the requests under way, without those that wait for news. */
function requestsOf(page: Page): ReadonlySet<unknown> {
  const busy = new Set<unknown>();
  page.on('request', (request) => {
    if (request.headers()['prefer'] === undefined) busy.add(request);
  });
  page.on('requestfinished', (request) => busy.delete(request));
  page.on('requestfailed', (request) => busy.delete(request));
  return busy;
}

/** Checks axe, keyboard and width of a page at the width of a phone and of a desktop. */
async function checkForEverybody(page: Page, what: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await nextFrame(page);
    await assertNotWider(page, what);
    await assertAccessible(page, `${what} at ${width}`);
    problems.push(...(await tabThrough(page)).map((problem) => `${what} at ${width}: ${problem}`));
  }
  return problems;
}

/** Pages of one kind to look at: lists name things of several kinds. */
const perShape = 12;

test('each screen of the demo organization hides UUIDs in details, passes axe, and is usable by keyboard', async () => {
  const page = await dashboard.openAs('Root user', { path: 'users' });
  const busy = requestsOf(page);
  const queue: string[] = ['/dashboard/'];
  const seen = new Map<string, number>();
  const visited = new Set<string>();
  const wrong = new Map<string, readonly string[]>();
  const unreached: string[] = [];
  const check = async (what: string) => {
    // Names replace ids as soon as their reads end.
    const ids = (await page.evaluate(visibleIds)) as string[];
    if (ids.length > 0) wrong.set(what, ids);
  };
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const shape = shapeOf(path);
    if (visited.has(path) || (seen.get(shape) ?? 0) >= perShape) continue;
    visited.add(path);
    seen.set(shape, (seen.get(shape) ?? 0) + 1);
    await page.goto(`${dashboard.origin()}${path}`);
    await settled(page, busy);
    await check(path);
    const links = (await page.evaluate(
      `[...document.querySelectorAll('a[href^="/dashboard/"]')].map((a) => a.getAttribute('href'))`,
    )) as string[];
    queue.push(...links.map((link) => link.replace(/[?#].*$/, '')));
    if (seen.get(shape) === 1) unreached.push(...(await checkForEverybody(page, shape)));
    const buttons = page.locator('main button[aria-haspopup=dialog]');
    for (let i = 0; (seen.get(shape) ?? 0) === 1 && i < (await buttons.count()); i += 1) {
      const button = buttons.nth(i);
      const name = (await button.innerText()).trim();
      await button.click();
      await dialogOpened(page);
      await check(`${shape}: ${name}`);
      await leaveDialog(page);
    }
  }
  assert(seen.size >= 20, `too few screens: ${[...seen.keys()].join(' ')}`);
  assert.deepEqual([...wrong], []);
  assert.deepEqual(unreached, []);
});

test('the walk by Tab reports unmarked, covered and unreached elements, and waits for a late outline', async () => {
  const page = await dashboard.open({ isHostile: true });
  await page.goto('about:blank');
  await page.setContent(`
    <button>good</button>
    <button onfocus="setTimeout(() => { this.style.outline = '2px solid red'; }, 100)" style="outline: none">late</button>
    <button style="outline: none">unmarked</button>
    <button style="position: fixed; top: 0">covered</button>
    <div style="position: fixed; inset: 0 0 auto 0; height: 30px; z-index: 1"></div>
    <button onkeydown="event.key === 'Tab' && event.preventDefault()">trap</button>
    <button>behind</button>`);
  await page.evaluate(`document.body.style.marginTop = '60px'`);
  assert.deepEqual(await tabThrough(page), [
    'not marked: button unmarked',
    'out of sight: button covered',
    'not reached: button behind',
  ]);
});
