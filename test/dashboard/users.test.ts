// Users: created, given credentials, viewed and deleted.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import type { Download, Page } from 'playwright-core';
import operations from '../../src/cli/generated/operations.json' with { type: 'json' };
import { apiKey, connect } from '../../src/client/index.ts';
import { signIn, startProvider } from '../gateway/outbound/oidc_provider.ts';
import { dashboardOfThisFile, focused, goTo, missing, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

const status = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });

/** Returns a client with the key in a downloaded file. */
async function clientOf(download: Download) {
  const file = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const { baseUrl, organizationId } = file;
  assert.equal(new URL(baseUrl).origin, dashboard.origin());
  const url = baseUrl.replace('localhost', '127.0.0.1');
  return { file, client: connect({ url, organizationId, stamp: await apiKey(file) }) };
}

async function newUser(page: Page, name: string): Promise<Download> {
  await goTo(page, 'Users');
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.getByRole('textbox', { name: 'User name' }).fill(name);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const download = await downloading;
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return download;
}

/** Deletes a row after typing its name, and waits until it is gone. */
async function deleteNamed(page: Page, table: string, title: string, name: string): Promise<void> {
  const rows = page.getByRole('table', { name: table, exact: true });
  await rows.getByRole('button', { name: title }).click();
  const confirm = page.getByRole('alertdialog', { name: title });
  const button = confirm.getByRole('button', { name: 'Delete' });
  assert(await button.isDisabled());
  await confirm.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
  await button.click();
  await confirm.waitFor({ state: 'detached' });
  await rows.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor({ state: 'detached' });
}

test('a new user has a key whose private half was never sent', async () => {
  const page = await dashboard.shared('Root user', 'users');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  const download = await newUser(page, 'dave');
  assert.equal(download.suggestedFilename(), 'dave.json');
  const { file, client } = await clientOf(download);
  const root = dashboard.service().credentials('root-credentials');
  assert.deepEqual(Object.keys(file).sort(), Object.keys(root).sort());
  const { userId, username } = await client.query('whoami');
  assert.equal(username, 'dave');
  assert.equal(file.userId, userId);
  assert(sent.some((body) => body.includes(file.apiPublicKey)));
  assert(sent.every((body) => !body.includes(file.apiPrivateKey)));
  const { user } = await client.query('get_user', { userId });
  assert.equal(user.apiKeys[0]?.apiKeyId, file.apiKeyId);
});

test('a user gets a second key and a passkey, and the key is deleted', async () => {
  const page = await dashboard.shared('Root user', 'users');
  await newUser(page, 'erin');
  await page.getByRole('button', { name: 'Add an API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an API key' });
  await dialog.getByRole('textbox', { name: 'API key name' }).fill('laptop');
  await dialog.getByRole('combobox', { name: 'Expires' }).selectOption('after a day');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const { client } = await clientOf(await downloading);
  assert.equal((await client.query('whoami')).username, 'erin');
  await dialog.getByRole('button', { name: 'Download again' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const passkeys = page.getByRole('dialog', { name: 'Add a passkey' });
  await passkeys.getByText('Let erin confirm').waitFor();
  await passkeys.getByRole('textbox', { name: 'Passkey name' }).fill('of erin');
  await passkeys.getByRole('button', { name: 'Add' }).click();
  await page
    .getByRole('table', { name: 'Passkeys' })
    .getByRole('row', { name: /^of erin/ })
    .waitFor();

  const keys = page.getByRole('table', { name: 'API keys' });
  await keys.getByRole('button', { name: 'Delete API key laptop' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete API key laptop' });
  const button = confirm.getByRole('button', { name: 'Delete' });
  assert(await button.isDisabled());
  await confirm.getByRole('textbox', { name: 'Type laptop to confirm' }).fill('laptop');
  await button.click();
  await status(page, /^Done/).waitFor();
  await keys.getByRole('row', { name: /^laptop/ }).waitFor({ state: 'detached' });
  await assert.rejects(client.query('whoami'), { status: 401 });
});

test('the page reports a failed key creation, and the next attempt registers a key', async () => {
  const page = await dashboard.shared('Root user', 'users');
  await goTo(page, 'Users');
  const forms = [
    { open: 'New user', name: 'User name', value: 'grace', submit: 'Create' },
    { open: 'Add an API key', name: 'API key name', value: 'second', submit: 'Add' },
  ];
  for (const { open, name, value, submit } of forms) {
    await page.getByRole('button', { name: open }).click();
    const dialog = page.getByRole('dialog', { name: open });
    await dialog.getByRole('textbox', { name }).fill(value);
    await page.evaluate(() => {
      const value = () => {
        // The next call uses the browser's own function again.
        Reflect.deleteProperty(crypto.subtle, 'generateKey');
        return Promise.reject(new Error('no entropy'));
      };
      Object.defineProperty(crypto.subtle, 'generateKey', { value, configurable: true });
    });
    await dialog.getByRole('button', { name: submit, exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'no entropy' }).waitFor();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: submit, exact: true }).click();
    const { client } = await clientOf(await downloading);
    const { userId, username } = await client.query('whoami');
    assert.equal(username, 'grace');
    const { user } = await client.query('get_user', { userId });
    assert.equal(user.apiKeys.length, forms.findIndex((form) => form.open === open) + 1);
    await page.getByRole('heading', { level: 1, name: 'grace' }).waitFor();
  }
});

test('a passkey and a tag are deleted after their names were typed', async () => {
  const page = await dashboard.shared('Root user', 'users');
  const url = dashboard.service().baseUrl;
  const { organizationId, ...key } = dashboard.service().credentials('root-credentials');
  const root = connect({ url, organizationId, stamp: await apiKey(key) });
  await newUser(page, 'heidi');
  const { users } = await root.query('list_users');
  const { userId } = users.find(({ userName }) => userName === 'heidi') ?? assert.fail();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const passkeys = page.getByRole('dialog', { name: 'Add a passkey' });
  await passkeys.getByRole('textbox', { name: 'Passkey name' }).fill('of heidi');
  await passkeys.getByRole('button', { name: 'Add' }).click();

  await deleteNamed(page, 'Passkeys', 'Delete passkey of heidi', 'of heidi');
  const { user } = await root.query('get_user', { userId });
  assert.deepEqual(user.authenticators, []);

  const tagged = await root.ask('create_user_tag', { userTagName: 'auditors', userIds: [userId] });
  assert.equal(tagged.outcome, 'done');
  await goTo(page, 'Users');
  await deleteNamed(page, 'Tags', 'Delete tag auditors', 'auditors');
  const { userTags } = await root.query('list_user_tags');
  assert(userTags.every(({ tagName }) => tagName !== 'auditors'));
});

test('an identity and a policy of several factors are deleted after their names were typed', async () => {
  const url = dashboard.service().baseUrl;
  const { organizationId, userId, ...key } = dashboard.service().credentials('root-credentials');
  const root = connect({ url, organizationId, stamp: await apiKey(key) });
  // The token contains the key that signs the request.
  const nonce = createHash('sha256').update(key.apiPublicKey).digest('hex');
  const oidcToken = await signIn(await startProvider({ after }), 'client-RS256', nonce);
  await root.submit('create_oauth_providers', {
    userId,
    oauthProviders: [{ providerName: 'Google of root', oidcToken }],
  });
  await root.submit('create_mfa_policy', {
    userId,
    mfaPolicyName: 'exports',
    condition: "activity.kind == 'EXPORT_WALLET'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 0,
  });
  const page = await dashboard.shared('Root user', `users/${userId}`);
  await deleteNamed(page, 'Identity providers', 'Delete provider Google of root', 'Google of root');
  await deleteNamed(page, 'Several factors', 'Delete policy exports', 'exports');
  const { user } = await root.query('get_user', { userId });
  assert.deepEqual([user.oauthProviders, user.mfaPolicies], [[], []]);
});

test('a policy of several factors is created with a warning of missing credentials, and takes effect', async () => {
  const page = await dashboard.shared('Root user', 'users');
  const { file, client } = await clientOf(await newUser(page, 'grace'));
  await page.getByRole('button', { name: 'New MFA policy' }).click();
  const dialog = page.getByRole('dialog', { name: 'New MFA policy' });
  const create = dialog.getByRole('button', { name: 'Create' });
  const titled = operations.create_mfa_policy.parameters.properties;
  const field = ({ title }: { readonly title: string }) =>
    dialog.getByRole('textbox', { name: title, exact: true });
  await field(titled.mfaPolicyName).fill('tags take two');
  await field(titled.notes).fill('A second credential for tags.');
  await dialog.getByRole('spinbutton', { name: titled.order.title, exact: true }).fill('3');
  const condition = field(titled.condition);
  await condition.click();
  await focused(condition);
  await page.keyboard.insertText('activity.knd');
  await dialog.getByText(/expected one of/).waitFor();
  assert(await create.isDisabled());
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText("activity.kind == 'CREATE_USER_TAG'");

  const step = (place: number) => dialog.getByRole('group', { name: `Step ${place}: any one of` });
  await step(1).getByRole('checkbox', { name: 'an API key: only “Key of grace”' }).check();
  await dialog.getByRole('button', { name: 'Add a step' }).click();
  await step(2).getByRole('checkbox', { name: 'a passkey', exact: true }).check();
  await dialog
    .getByRole('status')
    .filter({ hasText: /for these steps: 2\./ })
    .waitFor();
  await step(2).getByRole('checkbox', { name: 'a code by e-mail' }).check();
  await dialog.getByRole('button', { name: 'Add a step' }).click();
  assert(await create.isDisabled(), 'a step of no method');
  await dialog.getByRole('button', { name: 'Remove step 3' }).click();
  await create.click();
  await status(page, /^Done. The MFA policy tags take two is created/).waitFor();
  const row = page
    .getByRole('table', { name: 'Several factors' })
    .getByRole('row', { name: /^tags take two/ });
  await row.getByText('a passkey or a code by e-mail').waitFor();

  const { user } = await client.query('get_user', { userId: file.userId });
  const [policy, ...others] = user.mfaPolicies;
  assert.deepEqual(others, []);
  const { apiKeyId } = user.apiKeys[0] ?? assert.fail();
  assert.deepEqual(policy?.requiredAuthenticationMethods, [
    { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY', id: apiKeyId }] },
    { any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }, { type: 'AUTHENTICATION_TYPE_EMAIL_OTP' }] },
  ]);
  assert.deepEqual([policy?.order, policy?.notes], [3, 'A second credential for tags.']);
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  await root.submit('create_policy', {
    policyName: 'grace tags',
    effect: 'EFFECT_ALLOW',
    // Only this kind: with a wider condition, requests of other users would wait for this user.
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: `approvers.any(user, user.id == '${file.userId}')`,
    notes: '',
  });
  const submitted = await client.ask('create_user_tag', { userTagName: 'of grace', userIds: [] });
  assert.equal(submitted.outcome, 'waiting');
  assert.equal(submitted.activity.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
});

test('a tag is assigned, and the page shows what the policies let the user do alone', async () => {
  const page = await dashboard.shared('Root user', 'users');
  await goTo(page, 'Users');
  await page.getByRole('button', { name: 'New tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tag' });
  await dialog.getByRole('textbox', { name: 'Tag name' }).fill('signers');
  await dialog.getByRole('checkbox', { name: 'bob' }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const tags = page.getByRole('table', { name: 'Tags' });
  await tags.getByRole('row', { name: /^signers.*bob/ }).waitFor();

  const alone = page.getByRole('region', { name: 'What this user can do alone' });
  const policies = alone.getByRole('rowheader');
  await page.getByRole('link', { name: 'bob' }).click();
  await alone.getByRole('table').waitFor();
  await policies.filter({ hasText: /^alice and bob sign with everyday$/ }).waitFor();
  assert.equal(await policies.count(), 1);
  await goTo(page, 'Users');
  await page.getByRole('link', { name: 'carol' }).click();
  await alone.getByRole('table').waitFor();
  await policies.filter({ hasText: /^carol creates wallets$/ }).waitFor();
  assert.equal(await policies.count(), 1);
  await goTo(page, 'Users');
  await page.getByRole('link', { name: 'Root user' }).click();
  await alone.getByText(/^Everything/).waitFor();
});

test('deleting a user requires the name and the permission', async () => {
  const page = await dashboard.shared('Root user', 'users');
  await newUser(page, 'frank');
  const path = new URL(page.url()).pathname.replace('/dashboard/', '');
  const remove = async (screen: Page) => {
    await screen.getByRole('button', { name: 'Delete user' }).click();
    const confirm = screen.getByRole('alertdialog', { name: 'Delete user frank' });
    await confirm.getByRole('textbox', { name: 'Type frank to confirm' }).fill('frank');
    await confirm.getByRole('button', { name: 'Delete' }).click();
    return confirm;
  };
  const alice = await dashboard.open({ path });
  await alice.getByRole('button', { name: 'Sign in as alice' }).click();
  const refused = await remove(alice);
  await refused
    .getByRole('status')
    .filter({ hasText: /^Refused/ })
    .waitFor();
  await refused.getByRole('region', { name: 'Decision' }).waitFor();
  await remove(page);
  await status(page, /^Done/).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await missing(page, page.getByRole('link', { name: 'frank' }));
});
