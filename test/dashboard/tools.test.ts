// Sub-organizations, the API explorer and the inbox.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { compileCache } from '../support/compile_cache.ts';
import {
  assertAccessible,
  before,
  copied,
  dashboardOfThisFile,
  focused,
  goTo,
  leaveDialog,
  test,
  textIn,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();
const run = promisify(execFile);

let page: Page;
let root: Client;

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  page = await dashboard.openAs('Root user');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });

test('25: the inbox shows the code of a mail, and a button copies it', async () => {
  await goTo(page, 'Inbox');
  await page.getByText('No messages yet.').waitFor();
  const parameters = {
    otpType: 'OTP_TYPE_EMAIL' as const,
    contact: 'alice@example.com',
    appName: 'Example',
  };
  await root.submit('init_otp', parameters);
  const messages = page.getByRole('list', { name: 'Messages' });
  const message = messages.getByRole('listitem').filter({ hasText: 'alice@example.com' });
  await message.getByRole('button', { name: 'Copy code' }).click();
  await status(/^Copied/).waitFor();
  const code = await copied(page, /^[A-Z0-9]{6,9}$/);
  assert((await message.textContent())?.includes(code));
});

test('30: an operation is tried, sent, and copied for three tools', async () => {
  await goTo(page, 'API explorer');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('create_user_tag');
  await page.waitForURL('**/dashboard/api/create_user_tag');
  const parameters = page.getByRole('group', { name: 'Parameters' });
  await parameters.getByRole('textbox', { name: 'User tag name' }).fill("the team's tag");
  const json = page.getByRole('textbox', { name: 'JSON' });
  assert.deepEqual(JSON.parse(await textIn(json, /the team's tag/)), {
    userTagName: "the team's tag",
    userIds: [],
  });
  const answer = page.getByRole('region', { name: 'Answer' });
  await page.getByRole('button', { name: 'Dry run' }).click();
  await answer.getByText('It would be done.').waitFor();
  assert.equal((await root.query('list_user_tags')).userTags.length, 0);

  await page.getByRole('button', { name: 'Copy as CLI' }).click();
  await status(/^Copied/).waitFor();
  const command = (await copied(page, /^keywright/)).replace(
    'keywright',
    `"${process.execPath}" "${join(import.meta.dirname, '../../src/main.ts')}"`,
  );
  const { baseUrl, credentials, credentialsPath } = dashboard.service();
  const { organizationId } = credentials('root-credentials');
  const file = credentialsPath('root-credentials');
  const env = {
    ...compileCache,
    KEYWRIGHT_URL: baseUrl,
    KEYWRIGHT_ORGANIZATION_ID: organizationId,
    KEYWRIGHT_CREDENTIALS_FILE: file,
  };
  const { stdout } = await run('sh', ['-c', command], { env });
  const { userTagId } = JSON.parse(stdout);
  const tags = async () => (await root.query('list_user_tags')).userTags;
  assert.deepEqual(
    (await tags()).map(({ tagId, tagName }) => [tagId, tagName]),
    [[userTagId, "the team's tag"]],
  );

  await parameters.getByRole('textbox', { name: 'User tag name' }).fill("it's by curl");
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await answer.getByText(/^curl/).waitFor();
  const sent = await run('sh', ['-c', `${await copied(page, /^curl/)} --silent`]);
  assert.match(sent.stdout, /ACTIVITY_STATUS_COMPLETED/);
  assert((await tags()).some(({ tagName }) => tagName === "it's by curl"));

  await page.getByRole('button', { name: 'Copy as TypeScript' }).click();
  await answer.getByText(/^import/).waitFor();
  await copied(page, /kw\.submit\('create_user_tag', \{/);

  await page.getByRole('textbox', { name: 'JSON' }).fill('{"userTagName": "sent", "userIds": []}');
  await textIn(parameters.getByRole('textbox', { name: 'User tag name' }), /^sent$/);
  await page.getByRole('button', { name: 'Send' }).click();
  await status(/^Done/).waitFor();
  await answer.getByText('userTagId').waitFor();
  assert((await tags()).some(({ tagName }) => tagName === 'sent'));
});

test('a form copies its request for three tools without sending it', async () => {
  await goTo(page, 'Users');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.getByRole('button', { name: 'New tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tag' });
  await dialog.getByText('Copy as …').click();
  const tagName = dialog.getByRole('textbox', { name: 'Tag name' });
  await dialog.getByRole('button', { name: 'Copy as CLI' }).click();
  await focused(tagName);
  await tagName.fill("it's the form's");
  await dialog.getByRole('button', { name: 'Copy as CLI' }).click();
  const [, parameters = ''] =
    /^keywright api create_user_tag --params - <<'END'\n(.*)\nEND$/s.exec(
      await copied(page, /^keywright api create_user_tag/),
    ) ?? [];
  assert.deepEqual(JSON.parse(parameters), { userTagName: "it's the form's", userIds: [] });
  await dialog.getByRole('button', { name: 'Copy as TypeScript' }).click();
  await copied(page, /kw\.submit\('create_user_tag', \{/);
  await assertAccessible(page, 'copy as');
  await dialog.getByRole('button', { name: 'Copy as curl' }).click();
  const curl = await copied(page, /^curl/);
  assert.deepEqual(
    sent.filter((url) => url.includes('/submit/')),
    [],
  );
  const { stdout } = await run('sh', ['-c', `${curl} --silent`]);
  assert.match(stdout, /ACTIVITY_STATUS_COMPLETED/);
  const { userTags } = await root.query('list_user_tags');
  assert(userTags.some(({ tagName: name }) => name === "it's the form's"));
  await leaveDialog(page);
});

test('forms copy their requests, except for requests with a secret of the page', async () => {
  const forms = [
    { screen: 'Wallets', open: 'New wallet', field: 'Wallet name', name: 'create_wallet' },
    {
      screen: 'Private keys',
      open: 'New private key',
      field: 'Private key name',
      name: 'create_private_keys',
    },
    {
      screen: 'Webhooks',
      open: 'New endpoint',
      field: 'Name',
      name: 'create_webhook_endpoint',
    },
  ];
  for (const { screen, open, field, name } of forms) {
    await goTo(page, screen);
    await page.getByRole('button', { name: open }).click();
    const dialog = page.getByRole('dialog', { name: open });
    await dialog.getByRole('textbox', { name: field, exact: true }).fill('copied');
    await dialog.getByText('Copy as …').click();
    await dialog.getByRole('button', { name: 'Copy as CLI' }).click();
    assert.match(await copied(page, new RegExp(`^keywright api ${name} `)), /"copied"/);
    await leaveDialog(page);
  }
  await goTo(page, 'Users');
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  const withKey = dialog.getByRole('checkbox', { name: 'Create an API key and download its file' });
  await withKey.waitFor();
  assert.equal(await dialog.getByText('Copy as …').count(), 0);
  await withKey.uncheck();
  await dialog.getByText('Copy as …').waitFor();
  await leaveDialog(page);
});

test('every member of an operation has a field with its sentence', async () => {
  await goTo(page, 'API explorer');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('create_wallet');
  const parameters = page.getByRole('group', { name: 'Parameters' });
  await parameters.getByRole('combobox', { name: 'Curve' }).selectOption('CURVE_ED25519');
  await parameters.getByRole('button', { name: 'Add: Accounts' }).click();
  await parameters.getByRole('group', { name: 'Accounts 2' }).waitFor();
  const json = page.getByRole('textbox', { name: 'JSON' });
  const { accounts } = JSON.parse(await textIn(json, /ED25519.*"curve"/s));
  assert.equal(accounts.length, 2);
  assert.equal(accounts[0].curve, 'CURVE_ED25519');
  const described = await parameters
    .getByRole('textbox')
    .or(parameters.getByRole('combobox'))
    .evaluateAll((fields) =>
      fields.every((field) => {
        const id = field.getAttribute('aria-describedby');
        return id !== null && (document.getElementById(id)?.textContent ?? '') !== '';
      }),
    );
  assert.equal(described, true);
});

test('31: a sub-organization is created, found by its user, and read without buttons to change it', async () => {
  await goTo(page, 'Sub-organizations');
  await page.getByRole('button', { name: 'New sub-organization' }).click();
  const dialog = page.getByRole('dialog', { name: 'New sub-organization' });
  await dialog.getByRole('textbox', { name: 'Sub-organization name' }).fill('branch');
  await dialog.getByRole('textbox', { name: 'User name' }).fill('erin');
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('erin@example.com');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Create' }).click();
  assert.equal((await download).suggestedFilename(), 'erin.json');
  await page.getByRole('heading', { level: 1, name: 'branch' }).waitFor();
  await page.getByRole('table', { name: 'Users' }).getByRole('row', { name: /^erin/ }).waitFor();
  await page.getByRole('region', { name: 'Wallets' }).getByText('No wallets yet.').waitFor();
  assert.deepEqual(
    await page.getByRole('main').getByRole('button').allTextContents(),
    // The copy button of the id is behind “Details”.
    [],
  );
  await goTo(page, 'Sub-organizations');
  const table = page.getByRole('table', { name: 'Sub-organizations' });
  await page.getByRole('combobox', { name: 'Find by' }).selectOption('User name');
  await page.getByRole('searchbox', { name: 'Value' }).fill('nobody');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('No sub-organization matches.').waitFor();
  await page.getByRole('searchbox', { name: 'Value' }).fill('erin');
  await page.getByRole('button', { name: 'Find' }).click();
  await table.getByRole('row', { name: /^branch/ }).waitFor();
});

test('the dry run of a waiting request names the users who may vote', async () => {
  await root.submit('create_policy', {
    policyName: 'two for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const hers = await dashboard.openAs('alice');
  await goTo(hers, 'API explorer');
  await hers.getByRole('combobox', { name: 'Operation' }).selectOption('create_user_tag');
  await hers.getByRole('textbox', { name: 'User tag name' }).fill('tried');
  await hers.getByRole('button', { name: 'Dry run' }).click();
  const answer = hers.getByRole('region', { name: 'Answer' });
  await answer.getByText('It would wait for approval.').waitFor();
  await answer.getByText(/^Who may still vote: (?!.*alice).*Root user.*\.$/).waitFor();
});
