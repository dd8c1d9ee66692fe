// Authors of policies: expressions are checked while they are typed, tried on past activities, saved and
// deleted.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { newP256KeyPair } from '../../src/gateway/base/p256_key_pair.ts';
import { until } from '../e2e/service.ts';
import {
  before,
  dashboardOfThisFile,
  focused,
  goTo,
  leaveDialog,
  missing,
  patiently,
  test,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

let page: Page;
let root: Client;
let dave: Client;
let daveId: string;
let address: string;

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const { organizationId } = of;
  root = connect({ url, organizationId, stamp: await apiKey(of) });
  const key = newP256KeyPair((length) => randomBytes(length));
  const { userIds } = await root.submit('create_users', {
    users: [
      {
        userName: 'dave',
        apiKeys: [
          { apiKeyName: 'key', publicKey: key.apiPublicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  });
  [daveId = ''] = userIds;
  dave = connect({ url, organizationId, stamp: await apiKey(key) });
  const { addresses } = await root.submit('create_wallet', {
    walletName: 'shop',
    accounts: [root.account('ethereum')],
  });
  [address = ''] = addresses;
  const submitted = await dave.ask('sign_raw_payload', payload());
  assert.equal(submitted.outcome, 'refused');
  page = await dashboard.openAs('Root user', { path: 'policies' });
});

const payload = () => ({
  signWith: address,
  payload: 'hello',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
  hashFunction: 'HASH_FUNCTION_KECCAK256' as const,
});

const box = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });

/** Replaces the text of an editor. Typed keys would be doubled where the editor closes quotes. */
async function write(name: string, text: string): Promise<void> {
  await box(name).click();
  await focused(box(name));
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

test('17: a typing error is underlined at once, and the list of problems links to it', async () => {
  await goTo(page, 'Policies');
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('heading', { level: 1, name: 'New policy' }).waitFor();
  await box('Policy name').waitFor();
  const untouched = page.getByRole('list', { name: 'Warnings' });
  assert.equal(await untouched.count(), 0, 'a form without input has no warnings');
  await box('Policy name').fill('dave signs with shop if two approve');
  await untouched.getByRole('button').first().waitFor();
  // Characters of two, three and four bytes before the error, so offsets in bytes differ from those of the
  // editor.
  await write('Condition', "activity.kind != 'é€𝄞' &&\n  activity.knd == 'SIGN_RAW_PAYLOAD'");
  // These waits also cover the frame in which the page underlines the error.
  const problems = page.getByRole('list', { name: 'Problems' });
  const problem = problems.getByRole('button', {
    name: /^Condition, line 2, column 12: .*expected one of/,
  });
  await problem.waitFor();
  await box('Condition').and(page.locator('[aria-invalid="true"]')).waitFor();
  await page.locator('.cm-wrong').filter({ hasText: /^knd$/ }).waitFor();
  await page.getByRole('button', { name: 'Save policy', disabled: true }).waitFor();
  await box('Policy name').focus();
  await problem.click();
  const selected = `(document.activeElement.shadowRoot?.getSelection?.() ?? getSelection()).toString()`;
  await until('the slip is selected', async () => (await page.evaluate(selected)) === 'knd');
});

test('an error is underlined within 100 ms of processor time after the last key', async () => {
  await write('Condition', 'activity.kind');
  await box('Condition').press('End');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? assert.fail();
  };
  const started = await busy();
  await page.keyboard.press('x');
  await page.locator('.cm-wrong').waitFor();
  assert((await busy()) - started < 0.1);
});

test('18: the corrected policy is tried on past activities: one refusal would wait', async () => {
  await write('Condition', `activity.kind == 'SIGN_RAW_PAYLOAD'`);
  await write('Consensus', `approvers.any(user, user.id == '${daveId}') && approvers.count() >= 2`);
  await page.getByRole('list', { name: 'Problems' }).waitFor({ state: 'detached' });
  const tryIt = page.getByRole('region', { name: 'Try it' });
  await tryIt.getByRole('button', { name: 'Try against past activities' }).click();
  await status(/^1 of \d+ decisions change/).waitFor();
  const table = tryIt.getByRole('table', { name: 'What would have happened' });
  const row = table.getByRole('row', { name: /^Sign message or data/ });
  assert.match((await row.textContent()) ?? '', /refused.*waits/);
  assert.equal(await row.getByRole('rowheader').getByRole('link').count(), 1);
});

test('one request is tried without any effect, as saved and with the policy that is not saved', async () => {
  await page.getByRole('button', { name: 'Try one request' }).click();
  const dialog = page.getByRole('dialog', { name: 'Try one request' });
  await dialog.getByRole('combobox', { name: 'Operation' }).selectOption('create_user_tag');
  // Delays the page's own decision on this request until after the next request.
  const late = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  await page.route(
    '**/public/v1/query/list_private_keys',
    async (route) => {
      held.resolve();
      await late.promise;
      await route.fulfill({ response: await route.fetch(patiently) });
      came.resolve();
    },
    { times: 1 },
  );
  await dialog
    .getByRole('textbox', { name: 'Parameters' })
    .fill(JSON.stringify({ userTagName: 'never made', userIds: [] }));
  await dialog.getByRole('button', { name: 'Dry run' }).click();
  const status = (text: string) => dialog.getByRole('status').filter({ hasText: text });
  await dialog.getByRole('heading', { name: /^With the saved policies/ }).waitFor();
  await status('It would be done.').first().waitFor();
  const { userTags } = await root.query('list_user_tags');
  assert.equal(
    userTags.some(({ tagName }) => tagName === 'never made'),
    false,
  );
  // Wait until the page has loaded the evaluator and sent the delayed request.
  await held.promise;

  // A request of another user: only the policy above makes it wait.
  await dialog.getByRole('combobox', { name: 'Requested by' }).selectOption('dave');
  await dialog.getByRole('combobox', { name: 'Operation' }).selectOption('sign_raw_payload');
  await dialog.getByRole('textbox', { name: 'Parameters' }).fill(JSON.stringify(payload()));
  await dialog.getByRole('button', { name: 'Dry run' }).click();
  await dialog.getByRole('heading', { name: /^With the policy above/ }).waitFor();
  await status('It would wait for approval.').waitFor();
  await dialog.getByText(/comes to: needs votes/).waitFor();
  late.resolve();
  await came.promise;
  await page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next)))');
  await status('It would wait for approval.').waitFor();
  assert.equal(await status('It would be done.').count(), 0);
  await dialog.getByRole('combobox', { name: 'Operation' }).selectOption('create_user_tag');
  await dialog.getByRole('button', { name: 'Dry run' }).click();
  await status('It would be refused.').waitFor();
  await leaveDialog(page);
});

test('19: the policy is saved and listed, and decides from then on', async () => {
  await page.getByRole('button', { name: 'Save policy' }).click();
  await status(/^Done/).waitFor();
  const table = page.getByRole('table', { name: 'Policies' });
  await table.getByRole('row', { name: /^dave signs with shop if two approve Allow/ }).waitFor();
  const submitted = await dave.ask('sign_raw_payload', { ...payload(), payload: 'again' });
  assert.equal(submitted.outcome, 'waiting');
});

test('an edit of a policy sends only the changed members, and the service warns', async () => {
  await page.getByRole('link', { name: 'dave signs with shop if two approve' }).click();
  await page.getByRole('heading', { level: 1, name: /^dave signs/ }).waitFor();
  await page.getByText(/^Saved: Allows .*, if dave approves and 2 users approve\.$/).waitFor();
  const save = page.getByRole('button', { name: 'Save policy' });
  await save.waitFor();
  await page.getByRole('button', { name: 'Save policy', disabled: true }).waitFor();
  await page
    .getByRole('radiogroup', { name: 'Effect' })
    .getByRole('radio', { name: 'Deny' })
    .check();
  await box('Notes').fill('for a while');
  const sent = page.waitForRequest('**/submit/update_policy');
  await save.click();
  const { parameters } = (await sent).postDataJSON();
  assert.deepEqual(Object.keys(parameters).sort(), ['policyEffect', 'policyId', 'policyNotes']);
  await status(/^Done/).waitFor();
  await write('Condition', '');
  await page
    .getByRole('list', { name: 'Problems' })
    .getByRole('button', { name: /cannot be removed/ })
    .waitFor();
});

test('the editor warns of a policy that allows everything', async () => {
  await write('Condition', 'true');
  await write('Consensus', 'true');
  await page.getByRole('radio', { name: 'Allow' }).check();
  await page
    .getByRole('list', { name: 'Warnings' })
    .getByRole('button', { name: /every user may do everything/ })
    .waitFor();
});

test('a policy is deleted after its name was typed', async () => {
  await page.getByRole('button', { name: 'Delete policy' }).click();
  const name = 'dave signs with shop if two approve';
  const dialog = page.getByRole('alertdialog', { name: `Delete policy ${name}` });
  const remove = dialog.getByRole('button', { name: 'Delete' });
  assert.equal(await remove.isDisabled(), true);
  await dialog.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
  await remove.click();
  await status(/^Done/).waitFor();
  await page.getByRole('table', { name: 'Policies' }).waitFor();
  await missing(page, page.getByRole('link', { name }));
});

test('a user who may not read policies sees the reason why saving is not possible', async () => {
  const alice = await dashboard.openAs('alice', { path: 'policies/new' });
  await alice.getByRole('heading', { level: 1, name: 'New policy' }).waitFor();
  await alice.getByRole('textbox', { name: 'Policy name' }).fill('mine');
  await alice.getByRole('button', { name: 'Save policy' }).click();
  await alice
    .getByRole('status')
    .filter({ hasText: /^Refused/ })
    .waitFor();
  await alice.getByRole('region', { name: 'Decision' }).waitFor();
  assert.equal(await alice.getByRole('textbox', { name: 'Policy name' }).inputValue(), 'mine');
});
