// Clickjacking by double click: another page makes the user click twice on its window, which disappears at
// the second click. Also tests that a session alone never suffices for a user with passkeys.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { pairingWords } from '../../src/cli/login/pairing.ts';
import { newP256KeyPair } from '../../src/gateway/base/p256_key_pair.ts';
import { until } from '../e2e/service.ts';
import { before, dashboardOfThisFile, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();
let page: Page;
before(async () => {
  page = await dashboard.openAs('bob', { isHostile: true, path: 'users' });
});

const { apiPublicKey: publicKey } = newP256KeyPair((length) => randomBytes(length));
const link = () =>
  `${dashboard.origin()}/dashboard/#/pair?publicKey=${publicKey}&name=laptop&expirationSeconds=7200`;
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Loads a screen in a window that lies below another window. Stops the clock once `loaded` is visible. */
async function below(path: string, loaded: Locator): Promise<void> {
  await page.addInitScript('Document.prototype.hasFocus = () => globalThis.isOnTop === true;');
  await page.goto('about:blank');
  await page.clock.install();
  await page.goto(path);
  await loaded.waitFor();
  // On a busy machine, the second may pass before the clock stops at its end, so retry.
  await until('the clock stands still', async () => {
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1_000);
    return true;
  });
}

/** Gives this window the focus, or takes it away. */
const onTop = (isOnTop: boolean) =>
  page.evaluate(`globalThis.isOnTop = ${isOnTop}; dispatchEvent(new Event('focus'));`);

test('a click for another window pairs no key', async (t) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('create_api_keys')) sent.push(request.url());
  });
  const [first, second, third, fourth = ''] = (await pairingWords(publicKey)).split(' ');
  await below(link(), page.getByText(`${first} ${second} ${third}`, { exact: true }));
  t.after(() => page.clock.resume());
  assert.equal(
    await page.getByText(fourth, { exact: true }).count(),
    0,
    'the page does not show it',
  );
  const word = page.getByRole('textbox', { name: 'Fourth word' });
  const letIn = button('Let it in');
  await onTop(true);
  await page.mouse.move(10, 10);
  await page.clock.runFor(5_000);
  assert(await letIn.isDisabled(), 'nothing was typed');
  // The third word would be correct for one key in 2,048, since words may repeat.
  await word.fill(`${fourth}s`);
  assert(await letIn.isDisabled(), 'another word was typed');
  await word.fill(` ${fourth.toUpperCase()} `);
  assert(await letIn.isEnabled());

  // After the window comes back to the top, the first clicks must not count.
  await onTop(false);
  await onTop(true);
  const { x = 0, y = 0 } = (await letIn.boundingBox()) ?? {};
  await page.mouse.click(x + 5, y + 5);
  await page.mouse.click(x + 5, y + 5);
  await page.clock.runFor(900);
  await page.mouse.click(x + 5, y + 5);
  assert.deepEqual(sent, []);
  await page.clock.runFor(200);
  await letIn.click();
  await page.clock.resume();
  await page.getByRole('status').filter({ hasText: /^Done/ }).waitFor();
  assert.equal(sent.length, 1);
});

test('approval and rejection require a second of visibility, and a pointer or key event before the click', async (t) => {
  const article = page.getByRole('article').first();
  const approve = article.getByRole('button', { name: 'Approve' });
  await below(`${dashboard.origin()}/dashboard/approvals`, approve);
  t.after(() => page.clock.resume());
  const buttons = [approve, article.getByRole('button', { name: 'Reject' })];
  const areDisabled = () => Promise.all(buttons.map((each) => each.isDisabled()));
  await page.clock.runFor(60_000);
  assert.deepEqual(await areDisabled(), [true, true], 'the window has no focus');
  await onTop(true);
  await page.clock.runFor(60_000);
  assert.deepEqual(await areDisabled(), [true, true], 'nobody used a pointer or a key');
  await page.keyboard.press('Shift');
  assert.deepEqual(await areDisabled(), [false, false]);
});

test('the page requires a passkey until it knows the passkeys of the user', async () => {
  const other = await dashboard.openAs('carol', { isHostile: true, path: 'users' });
  const submitted: string[] = [];
  const answers: (() => void)[] = [];
  other.on('request', (request) => {
    if (request.url().includes('/submit/')) submitted.push(request.url());
  });
  await other.route('**/get_user', async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.abort();
  });
  await other.goto(`${dashboard.origin()}/dashboard/wallets`);
  await other.getByRole('button', { name: 'New wallet' }).first().click();
  const dialog = other.getByRole('dialog', { name: 'New wallet' });
  await dialog.getByRole('textbox', { name: 'Wallet name' }).fill('unasked');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await until('the page reads the passkeys', () => answers.length > 0);
  assert.deepEqual(submitted, [], 'nothing is sent before');
  const refuse = setInterval(() => {
    for (const answer of answers.splice(0)) answer();
  }, 50);
  // The virtual authenticator has no passkey, so the browser reports an error.
  await dialog.getByRole('alert').waitFor();
  clearInterval(refuse);
  assert.deepEqual(submitted, []);
});
