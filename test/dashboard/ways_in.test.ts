// Steps 10 and 25 of the first hour: a terminal is paired, and a user signs in by code. Also tests a session
// that ends while the user types.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { apiKey, connect } from '../../src/client/index.ts';
import { temporaryDirectory, until } from '../e2e/service.ts';
import { compileCache } from '../support/compile_cache.ts';
import { addPasskey, dashboardOfThisFile, goTo, signInAs, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();
const main = join(import.meta.dirname, '../../src/main.ts');

test('10: a terminal is paired after both show the same words', async () => {
  const page = await dashboard.openAs('alice');
  await addPasskey(page);
  const env = { ...compileCache, XDG_CONFIG_HOME: temporaryDirectory() };
  const words = ['login', '--url', dashboard.origin(), '--expires', '2h', '--json'];
  const login = spawn(process.execPath, [main, ...words], { env });
  let output = '';
  let answered = '';
  login.stderr.on('data', (part) => {
    output += part;
  });
  login.stdout.on('data', (part) => {
    answered += part;
  });
  const ended = new Promise((resolve) => login.once('close', resolve));
  await until('it prints a link', () => /Waiting/.test(output));
  const link = /(http\S+#\/pair\?\S+)/.exec(output)?.[1] ?? assert.fail(output);
  const shown = /requires the fourth: (.+)/.exec(output)?.[1] ?? assert.fail(output);
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Pair' }).waitFor();
  const [first, second, third, fourth = ''] = shown.split(' ');
  await page.getByText(`${first} ${second} ${third}`, { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Fourth word' }).fill(fourth);
  await page.getByRole('button', { name: 'Let it in' }).click();
  await page.getByRole('status').filter({ hasText: /^Done/ }).waitFor();
  assert.equal(await ended, 0, output);
  assert.equal(JSON.parse(answered).username, 'alice');
});

test('an altered link pairs no key', async () => {
  const page = await dashboard.openAs('alice');
  const key = `publicKey=02${'a'.repeat(64)}`;
  const bent = ['publicKey=02&name=x', key, 'name=x', `${key}&name=x`];
  const lives = ['', '0', '31536001', '1e9'].map(
    (life) => `${key}&name=x&expirationSeconds=${life}`,
  );
  for (const query of [...bent, ...lives]) {
    await page.goto(`${dashboard.origin()}/dashboard/#/pair?${query}`);
    await page.getByRole('alert').filter({ hasText: 'has no valid key' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Let it in' }).count(), 0);
    await goTo(page, 'Overview');
  }
});

test('25: a user signs in by the code in a mail', async () => {
  const page = await dashboard.open();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  const messages = async (): Promise<readonly { readonly text: string }[]> =>
    (await (await dashboard.service().ask('/dev/inbox')).json()).messages;
  const before = (await messages()).length;
  await page.getByRole('button', { name: 'Sign in with an e-mail code' }).click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('bob@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  const field = page.getByRole('textbox', { name: 'Code' });
  await field.waitFor();
  await until('the code arrives', async () => (await messages()).length > before);
  const code = /^([0-9A-Z]{6,9})$/m.exec((await messages())[0]?.text ?? '')?.[1] ?? '';
  await field.fill('WRONG1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await field.fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('banner').getByText('bob').waitFor();
  assert(sent.every((body) => !body.includes(code)));
});

test('signing out ends the session in every tab and at the service', async () => {
  const page = await dashboard.openAs('bob');
  const second = await page.context().newPage();
  await second.goto(`${dashboard.origin()}/dashboard/wallets`);
  await second.getByRole('button', { name: 'Account', exact: true }).waitFor();
  const { client, userId } = await clientAs('bob');
  const sessionKeys = async () => {
    const { apiKeys } = await client.query('get_api_keys', { userId });
    return apiKeys.filter(({ credential }) => /LOGIN/.test(credential.type));
  };
  const before = await sessionKeys();
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const each of [page, second]) {
    await each.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  }
  await until('the key is deleted', async () => (await sessionKeys()).length === before.length - 1);
  await second.reload();
  await second.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('every tab asks to sign in again when the session expires', async () => {
  const page = await dashboard.open({ path: 'wallets' });
  await page.clock.install();
  await signInAs(page, 'bob');
  // Add a passkey: without it, the session writes and an idle user is signed out earlier.
  await goTo(page, 'Overview');
  await addPasskey(page);
  const second = await page.context().newPage();
  await second.goto(`${dashboard.origin()}/dashboard/wallets`);
  await second.getByRole('button', { name: 'Account', exact: true }).waitFor();
  await page.clock.fastForward(3601 * 1000);
  for (const each of [page, second]) {
    await each.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  }
});

/** Returns a client with the key file of a demo person. */
async function clientAs(name: string) {
  const credentials = dashboard.service().credentials(name);
  const { baseUrl: url } = dashboard.service();
  const { organizationId } = credentials;
  const client = connect({ url, organizationId, stamp: await apiKey(credentials) });
  return { client, userId: (await client.query('whoami')).userId };
}

test('an expired session requests a new sign-in, and typed text stays', async () => {
  const page = await dashboard.openAs('carol', { path: 'wallets' });
  const second = await page.context().newPage();
  await second.goto(`${dashboard.origin()}/dashboard/users`);
  await goTo(page, 'Wallets');
  await page.getByRole('button', { name: 'New wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'New wallet' });
  await dialog.getByRole('textbox', { name: 'Wallet name' }).fill('half typed');
  const { client: carol, userId } = await clientAs('carol');
  const { user } = await carol.query('get_user', { userId });
  const sessions = user.apiKeys.filter(({ credential }) => /LOGIN/.test(credential.type));
  const apiKeyIds = sessions.map(({ apiKeyId }) => apiKeyId);
  await carol.submit('delete_api_keys', { userId, apiKeyIds });
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  const inSecond = second.getByRole('dialog', { name: 'Sign in again' });
  await Promise.all([again.waitFor(), inSecond.waitFor()]);
  await again.getByRole('button', { name: 'Sign in as carol' }).click();
  await again.waitFor({ state: 'detached' });
  await inSecond.waitFor({ state: 'detached' });
  const name = dialog.getByRole('textbox', { name: 'Wallet name' });
  assert.equal(await name.inputValue(), 'half typed');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'half typed' }).waitFor();
  await page.locator('dialog').waitFor({ state: 'detached' });
});
