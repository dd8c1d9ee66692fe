// Step 34 of the first hour: every step of the dashboard with the keyboard alone, at 320 px, in dark mode.
// Each focused element is marked and visible, nothing is too wide, and no pointer is used.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { pairingWords } from '../../src/cli/login/pairing.ts';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { newP256KeyPair } from '../../src/gateway/base/p256_key_pair.ts';
import { until } from '../e2e/service.ts';
import {
  before,
  copied,
  dashboardOfThisFile,
  focused,
  leaveDialog,
  missing,
  test,
} from './dashboard.ts';
import { type Keyboard, keyboardOf, noPointers } from './keyboard.ts';

const dashboard = await dashboardOfThisFile();

let page: Page;
let keys: Keyboard;
let alice: Client;
let root: Client;
const pointed: string[] = [];
/** Ids of the events that the webhook receiver got. */
const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers['x-service-event-id']));
  request.resume().on('end', () => response.end());
});
after(() => {
  receiver.close();
  assert.deepEqual(pointed, []);
});

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  page = await dashboard.open({ width: 320, theme: 'dark' });
  await noPointers(page, pointed);
  await page.reload();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  keys = keyboardOf(page);
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });
const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: string) => page.getByRole('dialog', { name });
const box = (name: string) => page.getByRole('textbox', { name, exact: true });

/** Signs out by the account menu. */
async function signOut(): Promise<void> {
  await keys.press(button('Account'));
  const [first, last] = ['Theme', 'Sign out'].map((name) => page.getByRole('menuitem', { name }));
  assert(first !== undefined && last !== undefined);
  // The menu appears before it takes the focus; an earlier arrow key would be lost.
  await focused(first);
  await page.keyboard.press('ArrowUp');
  await focused(last);
  await page.keyboard.press('Enter');
  await heading('Sign in').waitFor();
}

test('2 to 5: a demo user signs in, adds a passkey, signs out, and signs in by the passkey', async () => {
  await heading('Sign in').waitFor();
  await keys.press(button('Sign in as Root user'));
  await heading('Overview').waitFor();
  await keys.press(button('Add a passkey'));
  await status(/^Done/).waitFor();
  await button('Add a passkey').waitFor({ state: 'detached' });
  await signOut();
  await keys.press(button('Sign in with a passkey'));
  await heading('Overview').waitFor();
});

test('6 and 7: a waiting activity is read and approved', async () => {
  await keys.goTo('Approvals');
  const approval = page.getByRole('article', { name: /^Sign transaction requested by alice$/ });
  await approval.getByText('0.5 ETH').first().waitFor();
  await keys.press(approval.getByRole('button', { name: 'Approve with a passkey' }));
  await status(/^Done/).waitFor();
  await page.getByText('Nothing waits for you.').waitFor();
  await keys.goTo('Activities');
  await keys.press(page.getByRole('row', { name: /^Sign transaction/ }).getByRole('link'));
  await page.getByRole('region', { name: 'Result' }).getByText('signedTransaction').waitFor();
});

test('8 and 9: a wallet is made, and a message signed with it', async () => {
  await keys.goTo('Wallets');
  await keys.press(button('New wallet'));
  await keys.write(dialog('New wallet').getByRole('textbox', { name: 'Wallet name' }), 'shop');
  await keys.press(dialog('New wallet').getByRole('checkbox', { name: 'Solana' }), 'Space');
  await keys.press(dialog('New wallet').getByRole('button', { name: 'Create' }));
  await heading('shop').waitFor();
  await page
    .getByRole('img', { name: /^QR code of / })
    .nth(1)
    .waitFor();
  await keys.press(button('Sign a message'));
  const signing = dialog('Sign a message');
  await keys.choose(signing.getByRole('combobox', { name: 'Sign with' }), /^Solana/);
  await keys.write(signing.getByRole('textbox', { name: 'Message' }), 'hello');
  await keys.press(signing.getByRole('button', { name: 'Sign', exact: true }));
  await signing.getByText(/^Verified/).waitFor();
  await leaveDialog(page);
  await focused(button('Sign a message'));
});

test('10: a terminal is paired', async () => {
  const { apiPublicKey } = newP256KeyPair((length) => randomBytes(length));
  const query = `publicKey=${apiPublicKey}&name=terminal&expirationSeconds=7200`;
  await page.goto(`${dashboard.origin()}/dashboard/#/pair?${query}`);
  await heading('Pair').waitFor();
  const [, , , fourth = ''] = (await pairingWords(apiPublicKey)).split(' ');
  await keys.write(page.getByRole('textbox', { name: 'Fourth word' }), fourth);
  await keys.press(button('Let it in'));
  await status(/^Done/).waitFor();
});

test('16: the refusing clause is found', async () => {
  const submitted = await alice.ask('create_user_tag', { userTagName: 'mine', userIds: [] });
  assert.equal(submitted.outcome, 'refused');
  await keys.goTo('Activities');
  await keys.choose(page.getByRole('combobox', { name: 'Show' }), /^Refused/i);
  await keys.press(page.getByRole('row', { name: /^Create user tag/ }).getByRole('link'));
  const decision = page.getByRole('region', { name: 'Decision' });
  await decision.getByRole('row', { name: /^carol creates wallets .*not met/ }).waitFor();
});

test('17 to 19: a policy is written, corrected, tried and saved', async () => {
  await keys.goTo('Policies');
  await keys.press(button('New policy'));
  await heading('New policy').waitFor();
  await keys.write(box('Policy name'), 'alice makes tags');
  await keys.write(box('Condition'), "activity.knd == 'CREATE_USER_TAG'");
  await page.keyboard.press('Escape');
  const problems = page.getByRole('list', { name: 'Problems' });
  await keys.press(problems.getByRole('button', { name: /expected one of/ }));
  await keys.write(box('Condition'), "activity.kind == 'CREATE_USER_TAG'");
  await page.keyboard.press('Escape');
  await keys.write(box('Consensus'), 'approvers.count() >= 2');
  await page.keyboard.press('Escape');
  await problems.waitFor({ state: 'detached' });
  await keys.chooseRadio(page.getByRole('radiogroup', { name: 'Effect' }), 'Deny');
  await keys.chooseRadio(page.getByRole('radiogroup', { name: 'Effect' }), 'Allow');
  await keys.press(button('Try against past activities'));
  await status(/^1 of \d+ decisions change/).waitFor();
  await keys.press(button('Try one request'));
  const trying = dialog('Try one request');
  await trying.getByRole('combobox', { name: 'Operation' }).waitFor();
  await leaveDialog(page);
  await keys.press(button('Save policy'));
  await status(/^Done/).waitFor();
  await page.getByRole('row', { name: /^alice makes tags/ }).waitFor();
});

test('21: a new request of another user is found by “Go to”, and approved', async () => {
  const submitted = await alice.ask('create_user_tag', { userTagName: 'ours', userIds: [] });
  assert.equal(submitted.outcome, 'waiting');
  await keys.jump('appro', /^Approvals/);
  const approval = page.getByRole('article', { name: /^Create user tag requested by alice$/ });
  await keys.press(approval.getByRole('button', { name: 'Approve with a passkey' }));
  await status(/^Done/).waitFor();
  await page.getByText('Nothing waits for you.').waitFor();
});

test('24: a delivery is opened, and sent again', async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  await keys.goTo('Webhooks');
  await keys.press(button('New endpoint'));
  const making = dialog('New endpoint');
  await keys.write(making.getByRole('textbox', { name: 'Name' }), 'receiver');
  await keys.write(making.getByRole('textbox', { name: 'URL' }), `http://127.0.0.1:${port}/`);
  await keys.press(making.getByRole('button', { name: 'Create' }));
  await heading('receiver').waitFor();
  await root.submit('create_user_tag', { userTagName: 'example', userIds: [] });
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await keys.press(deliveries.getByRole('link').first());
  await heading(/^Delivery \d+$/).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^Signature verified/ })
    .waitFor();
  const before = received.length;
  await keys.press(button('Redeliver'));
  await status(/^Done/).waitFor();
  await until('it comes again', () => received.length > before);
});

test('26 and 28: a wallet is exported into a file, imported, and deleted after typing its name', async () => {
  await keys.jump('shop', /^shop/);
  await heading('shop').waitFor();
  await keys.press(button('Export wallet'));
  const exporting = dialog('Export wallet shop');
  await keys.chooseRadio(exporting.getByRole('radiogroup', { name: 'Where to' }), 'Show here');
  await keys.chooseRadio(exporting.getByRole('radiogroup', { name: 'Where to' }), 'Encrypted file');
  await keys.write(exporting.getByLabel('Passphrase', { exact: true }), 'correct horse battery');
  await keys.write(exporting.getByLabel('Passphrase once more'), 'correct horse battery');
  const downloading = page.waitForEvent('download', { timeout: 60_000 });
  await keys.press(exporting.getByRole('button', { name: 'Export' }));
  await downloading;
  await keys.press(exporting.getByRole('button', { name: 'Close' }));
  await exporting.waitFor({ state: 'detached' });

  await keys.goTo('Wallets');
  await keys.press(button('Import wallet'));
  const importing = dialog('Import wallet');
  const phrase = `${'abandon '.repeat(11)}about`;
  await keys.write(importing.getByRole('textbox', { name: 'Recovery phrase' }), phrase);
  await keys.write(importing.getByRole('textbox', { name: 'Wallet name' }), 'known');
  await keys.press(importing.getByRole('button', { name: 'Import' }));
  await heading('known').waitFor();

  await keys.press(button('Delete wallet'));
  const deleting = page.getByRole('alertdialog', { name: 'Delete wallet known' });
  await keys.press(deleting.getByRole('checkbox'), 'Space');
  await keys.write(deleting.getByRole('textbox', { name: 'Type known to confirm' }), 'known');
  await keys.press(deleting.getByRole('button', { name: 'Delete' }));
  await heading('Wallets').waitFor();
  await missing(page, page.getByRole('link', { name: 'known' }));
});

test('27: a root quorum of two is tried', async () => {
  await keys.goTo('Settings');
  const quorum = page.getByRole('region', { name: 'Root quorum' });
  await keys.press(quorum.getByRole('button', { name: 'Change' }));
  await keys.press(quorum.getByRole('checkbox', { name: 'alice' }), 'Space');
  await keys.write(quorum.getByRole('spinbutton', { name: 'Threshold' }), '2');
  await keys.press(quorum.getByRole('button', { name: 'Dry run' }));
  await quorum.getByText(/^One lost key locks the organization out/).waitFor();
  await keys.press(quorum.getByRole('button', { name: 'Cancel' }));
  await quorum.getByText('1 of 1').waitFor();
});

test('30: an operation is filled in, tried, copied and sent', async () => {
  await keys.goTo('API explorer');
  await keys.choose(page.getByRole('combobox', { name: 'Operation' }), /^create_user_tag$/);
  await page.waitForURL('**/dashboard/api/create_user_tag');
  const parameters = page.getByRole('group', { name: 'Parameters' });
  await keys.write(parameters.getByRole('textbox', { name: 'User tag name' }), 'by keys');
  const answer = page.getByRole('region', { name: 'Answer' });
  await keys.press(button('Dry run'));
  await answer.getByText('It would be done.').waitFor();
  await keys.press(button('Copy as CLI'));
  await status(/^Copied/).waitFor();
  await copied(page, /create_user_tag.*by keys/s);
  await keys.press(button('Send'));
  await answer.getByText('userTagId').waitFor();
});

test('31: a sub-organization is created and opened', async () => {
  await keys.goTo('Sub-organizations');
  await keys.press(button('New sub-organization'));
  const making = dialog('New sub-organization');
  await keys.write(making.getByRole('textbox', { name: 'Sub-organization name' }), 'branch');
  await keys.write(making.getByRole('textbox', { name: 'User name' }), 'erin');
  await keys.write(making.getByRole('textbox', { name: 'E-mail address' }), 'erin@example.com');
  const download = page.waitForEvent('download');
  await keys.press(making.getByRole('button', { name: 'Create' }));
  await download;
  await heading('branch').waitFor();
  await keys.goTo('Sub-organizations');
  await keys.press(page.getByRole('table').getByRole('link', { name: 'branch' }));
  await page.getByRole('table', { name: 'Users' }).getByRole('row', { name: /^erin/ }).waitFor();
});

test('33: after the service was away, the keyboard continues at the same place', async () => {
  await page.context().setOffline(true);
  await keys.goTo('Overview');
  const away = page.getByRole('alert').filter({ hasText: 'The service does not answer' });
  await away.first().waitFor();
  await page.context().setOffline(false);
  await away.first().waitFor({ state: 'detached' });
  await keys.goTo('Users');
  await page.getByRole('table', { name: 'Users' }).waitFor();
});

test('25: a code is copied from the inbox, and signs in', async () => {
  const other = await dashboard.open({ width: 320, theme: 'dark' });
  const its = keyboardOf(other);
  await its.press(other.getByRole('button', { name: 'Sign in with an e-mail code' }));
  await its.write(other.getByRole('textbox', { name: 'E-mail address' }), 'bob@example.com');
  await its.press(other.getByRole('button', { name: 'Continue' }));
  await other.getByRole('textbox', { name: 'Code' }).waitFor();
  await keys.goTo('Inbox');
  const messages = page.getByRole('list', { name: 'Messages' });
  const message = messages.getByRole('listitem').filter({ hasText: 'bob@example.com' });
  await keys.press(message.first().getByRole('button', { name: 'Copy code' }));
  await status(/^Copied/).waitFor();
  await its.write(
    other.getByRole('textbox', { name: 'Code' }),
    await copied(page, /^[0-9A-Z]{6,9}$/),
  );
  await its.press(other.getByRole('button', { name: 'Continue' }));
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});
