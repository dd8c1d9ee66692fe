// Steps 26 and 28 of the first hour: the page exports and imports keys and phrases. It seals them, so no
// request contains them in the clear.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { apiKey, connect } from '../../src/client/index.ts';
import { temporaryDirectory } from '../e2e/service.ts';
import { compileCache } from '../support/compile_cache.ts';
import {
  before,
  dashboardOfThisFile,
  focused,
  goTo,
  leaveDialog,
  missing,
  patiently,
  test,
  textIn,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();
const run = promisify(execFile);
const main = join(import.meta.dirname, '../../src/main.ts');
const phrase =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const passphrase = 'correct horse battery';

let page: Page;
const sent: string[] = [];
/** The file that step 26 writes. */
let sealedFile: string;
before(async () => {
  page = await dashboard.openAs('Root user', { path: 'wallets' });
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
});

/** Runs the command line with the root user's key. */
async function keywright(...words: readonly string[]) {
  const folder = temporaryDirectory();
  const credentials = join(folder, 'root.json');
  const { baseUrl: url } = dashboard.service();
  const key = { ...dashboard.service().credentials('root-credentials'), baseUrl: url };
  writeFileSync(credentials, JSON.stringify(key), { mode: 0o600 });
  const env = { ...compileCache, XDG_CONFIG_HOME: folder };
  const flags = ['--credentials', credentials, '--json'];
  const { stdout } = await run(process.execPath, [main, ...words, ...flags], { env });
  return JSON.parse(stdout);
}

test('an imported wallet has the addresses of its phrase, which no request contains', async () => {
  await goTo(page, 'Wallets');
  await page.getByRole('button', { name: 'Import wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import wallet' });
  await dialog.getByRole('textbox', { name: 'Recovery phrase' }).fill(` ${phrase}\n`);
  await dialog.getByRole('textbox', { name: 'Wallet name' }).fill('shop');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  // The first address of the phrase that all wallets test with.
  const address = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
  await page.getByRole('img', { name: `QR code of ${address}` }).waitFor();
  assert(sent.every((text) => !text.includes('abandon')));
});

test('28: deleting a wallet requires its name, and a confirmation unless it was exported', async () => {
  await page.getByRole('button', { name: 'Delete wallet' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete wallet shop' });
  const button = dialog.getByRole('button', { name: 'Delete' });
  assert(await button.isDisabled());
  await dialog.getByRole('textbox', { name: 'Type shop to confirm' }).fill('shop');
  await button.click();
  await dialog
    .getByRole('alert')
    .filter({ hasText: /export/ })
    .waitFor();
  await leaveDialog(page);
});

test('an exported phrase is masked, appears on request, and disappears with the focus', async () => {
  const dialog = page.getByRole('dialog', { name: 'Export wallet shop' });
  await page.getByRole('button', { name: 'Export wallet' }).click();
  await dialog.getByRole('radio', { name: 'Show here' }).check();
  await dialog.getByRole('button', { name: 'Export' }).click();
  const field = dialog.getByRole('textbox', { name: 'Recovery phrase' });
  await field.waitFor();
  assert.doesNotMatch(await page.content(), /abandon/);
  assert.doesNotMatch(await field.inputValue(), /abandon/);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await textIn(field, /^abandon/);
  assert.equal(await field.inputValue(), phrase);
  // The page focuses the field after it draws the phrase, so wait for the focus before the blur.
  await focused(field);
  await field.blur();
  await field.waitFor({ state: 'detached' });
  await dialog.getByText(/^No longer shown/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
});

test('a masked phrase disappears after a minute', async () => {
  await page.clock.install();
  const now = async () => Number(await page.evaluate('Date.now()'));
  await page.getByRole('button', { name: 'Export wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export wallet shop' });
  await dialog.getByRole('radio', { name: 'Show here' }).check();
  const requestedAt = await now();
  await dialog.getByRole('button', { name: 'Export' }).click();
  const field = dialog.getByRole('textbox', { name: 'Recovery phrase' });
  await field.waitFor();
  // The phrase appeared between `requestedAt` and `shown`. It must be visible until the earliest possible
  // end, and gone at the latest.
  const shown = await now();
  await page.clock.pauseAt(requestedAt + 59_000);
  assert(await field.isVisible());
  await page.clock.fastForward(shown - requestedAt + 1_000);
  await field.waitFor({ state: 'detached' });
  await page.clock.resume();
  await dialog.getByRole('button', { name: 'Close' }).click();
});

test('26: the command line imports an encrypted file with the same addresses', async () => {
  await page.getByRole('button', { name: 'Export wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export wallet shop' });
  const button = dialog.getByRole('button', { name: 'Export' });
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog.getByLabel('Passphrase once more').fill(`${passphrase}!`);
  assert(await button.isDisabled());
  await dialog.getByLabel('Passphrase once more').fill(passphrase);
  const downloading = page.waitForEvent('download', { timeout: 60_000 });
  await button.click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'shop.sealed.json');
  const folder = temporaryDirectory();
  const [file, secret, wrong] = ['shop.json', 'passphrase', 'wrong'].map((name) =>
    join(folder, name),
  );
  assert(file !== undefined && secret !== undefined && wrong !== undefined);
  await download.saveAs(file);
  sealedFile = file;
  writeFileSync(secret, `${passphrase}\n`);
  writeFileSync(wrong, 'another passphrase');
  const from = ['--from', file, '--passphrase-file'];
  await assert.rejects(keywright('import', 'wallet', 'again', ...from, wrong), /does not open/);
  await assert.rejects(keywright('import', 'key', 'again', ...from, secret), /holds a wallet/);
  const { addresses } = await keywright('import', 'wallet', 'again', ...from, secret);
  assert.deepEqual(addresses, ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94']);
  assert(sent.every((text) => !text.includes('abandon') && !text.includes(passphrase)));
  await dialog.getByRole('button', { name: 'Close' }).click();
});

test('a private key is made, exported and imported again', async () => {
  await goTo(page, 'Private keys');
  await page.getByRole('button', { name: 'New private key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New private key' });
  await dialog.getByRole('textbox', { name: 'Private key name' }).fill('deploy');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'deploy' }).waitFor();
  const code = page.getByRole('img', { name: /^QR code of / });
  const name = await code.getAttribute('aria-label');
  await page.getByRole('button', { name: 'Export private key' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export private key deploy' });
  await exporting.getByRole('radio', { name: 'Show here' }).check();
  await exporting.getByRole('button', { name: 'Export' }).click();
  await exporting.getByRole('button', { name: 'Show' }).click();
  const field = exporting.getByRole('textbox', { name: 'Private key' });
  const digits = await textIn(field, /^[0-9a-f]{64}$/);
  await leaveDialog(page);

  await page.getByRole('button', { name: 'Delete private key' }).click();
  const deleting = page.getByRole('alertdialog', { name: 'Delete private key deploy' });
  await deleting.getByRole('textbox', { name: 'Type deploy to confirm' }).fill('deploy');
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No private keys yet.').waitFor();

  await page.getByRole('button', { name: 'Import private key' }).click();
  const importing = page.getByRole('dialog', { name: 'Import private key' });
  await importing.getByRole('textbox', { name: 'Private key', exact: true }).fill(digits);
  await importing.getByRole('textbox', { name: 'Private key name' }).fill('deploy 2');
  await importing.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { level: 1, name: 'deploy 2' }).waitFor();
  assert(name !== null);
  await page.getByRole('img', { name }).waitFor();
  assert(sent.every((text) => !text.includes(digits)));
});

test('28: deleting a private key requires its name, and a confirmation unless it was exported', async () => {
  const root = await clientOf('root-credentials');
  const { privateKeys } = await root.submit('create_private_keys', {
    privateKeys: [
      {
        privateKeyName: 'never exported',
        privateKeyTags: [],
        curve: 'CURVE_SECP256K1',
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  });
  const isThere = async () => {
    const listed = await root.query('list_private_keys');
    const id = privateKeys[0]?.privateKeyId;
    return listed.privateKeys.some(({ privateKeyId }) => privateKeyId === id);
  };
  await goTo(page, 'Private keys');
  await page.getByRole('link', { name: 'never exported' }).click();
  await page.getByRole('heading', { level: 1, name: 'never exported' }).waitFor();
  await page.getByRole('button', { name: 'Delete private key' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete private key never exported' });
  const confirm = dialog.getByRole('textbox', { name: 'Type never exported to confirm' });
  await dialog.getByRole('button', { name: 'Delete', disabled: true }).waitFor();
  await confirm.fill('never');
  await dialog.getByRole('button', { name: 'Delete', disabled: true }).waitFor();
  await confirm.fill('never exported');
  const button = dialog.getByRole('button', { name: 'Delete', disabled: false });
  await button.click();
  await dialog
    .getByRole('alert')
    .filter({ hasText: /export/ })
    .waitFor();
  assert(await isThere());
  await dialog.getByRole('checkbox').check();
  await button.click();
  await page.getByRole('heading', { level: 1, name: 'Private keys' }).waitFor();
  await missing(page, page.getByRole('link', { name: 'never exported' }));
  assert.equal(await isThere(), false);
});

test('a secret is imported with properties, shown, and deleted', async () => {
  await goTo(page, 'Secrets');
  await page.getByRole('button', { name: 'Import secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import secret' });
  await dialog.getByRole('textbox', { name: 'Secret name' }).fill('token');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('swordfish 🐟\n');
  await dialog.getByRole('textbox', { name: 'Properties' }).fill('env=production\nteam=a=b');
  await dialog.getByRole('button', { name: 'Import' }).click();
  const row = page.getByRole('table', { name: 'Secrets' }).getByRole('row', { name: /^token/ });
  await row.getByText('team = a=b').waitFor();
  await row.getByRole('button', { name: 'Export secret token' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export secret token' });
  await exporting.getByRole('radio', { name: 'Show here' }).check();
  await exporting.getByRole('button', { name: 'Export' }).click();
  await exporting.getByRole('button', { name: 'Show' }).click();
  const text = exporting.getByRole('textbox', { name: 'Text' });
  assert.equal(await textIn(text, /^swordfish/), 'swordfish 🐟\n');
  await leaveDialog(page);
  await row.getByRole('button', { name: 'Delete secret token' }).click();
  const deleting = page.getByRole('alertdialog', { name: 'Delete secret token' });
  await deleting.getByRole('textbox', { name: 'Type token to confirm' }).fill('token');
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No secrets yet.').waitFor();
  assert(sent.every((body) => !body.includes('swordfish')));
});

test('secrets are imported from files with or without a passphrase, and no request contains them', async () => {
  const file = (name: string, content: string) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });
  await goTo(page, 'Wallets');
  await page.getByRole('button', { name: 'Import wallet' }).click();
  const wallet = page.getByRole('dialog', { name: 'Import wallet' });
  const chooser = wallet.getByLabel('Or from a file');
  await chooser.setInputFiles(sealedFile);
  await wallet.getByRole('textbox', { name: 'Wallet name' }).fill('from a file');
  const secret = wallet.getByLabel('Passphrase');
  const button = wallet.getByRole('button', { name: 'Import' });
  await secret.fill('another passphrase');
  await button.click();
  await wallet.getByRole('alert').filter({ hasText: 'The passphrase is wrong' }).waitFor();
  await secret.fill(passphrase);
  await button.click();
  await page.getByRole('heading', { level: 1, name: 'from a file' }).waitFor();
  const address = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
  await page.getByRole('img', { name: `QR code of ${address}` }).waitFor();

  const digits = 'a1'.repeat(32);
  await goTo(page, 'Private keys');
  await page.getByRole('button', { name: 'Import private key' }).click();
  const key = page.getByRole('dialog', { name: 'Import private key' });
  await key.getByLabel('Or from a file').setInputFiles(file('key.txt', 'no key'));
  await key.getByRole('textbox', { name: 'Private key name' }).fill('from a file');
  await key.getByRole('button', { name: 'Import' }).click();
  await key.getByRole('alert').filter({ hasText: 'cannot be imported here' }).waitFor();
  await key.getByRole('button', { name: 'Remove the file' }).click();
  await key.getByLabel('Or from a file').setInputFiles(file('key.txt', `0x${digits}\n`));
  await key.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('heading', { level: 1, name: 'from a file' }).waitFor();

  await goTo(page, 'Secrets');
  await page.getByRole('button', { name: 'Import secret' }).click();
  const text = page.getByRole('dialog', { name: 'Import secret' });
  await text.getByRole('textbox', { name: 'Secret name' }).fill('from a file');
  await text.getByLabel('Or from a file').setInputFiles(file('token', 'swordfish\n'));
  await text.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('row', { name: /^from a file/ }).waitFor();
  for (const word of ['abandon', digits, 'swordfish', passphrase]) {
    assert(sent.every((body) => !body.includes(word)));
  }
});

test('a bundle under another key than the pinned key is not opened', async () => {
  const other = await dashboard.open({ isHostile: true });
  const imports: string[] = [];
  other.on('request', (request) => {
    if (request.url().endsWith('/submit/import_wallet')) imports.push(request.url());
  });
  await other.route('**/public/v1/discovery/keys', async (route) => {
    const response = await route.fetch(patiently);
    const keySet = await response.json();
    for (const key of keySet.keys) {
      const last = key.publicKey.at(-1) === '0' ? '1' : '0';
      key.publicKey = `${key.publicKey.slice(0, -1)}${last}`;
    }
    await route.fulfill({ response, json: keySet });
  });
  await other.getByRole('button', { name: 'Sign in as Root user' }).click();
  await goTo(other, 'Wallets');
  await other.getByRole('button', { name: 'Import wallet' }).click();
  const dialog = other.getByRole('dialog', { name: 'Import wallet' });
  await dialog.getByRole('textbox', { name: 'Recovery phrase' }).fill(phrase);
  await dialog.getByRole('textbox', { name: 'Wallet name' }).fill('lost');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'cannot be trusted' }).waitFor();
  assert.deepEqual(imports, []);
});

test('the page that requested a waiting export opens it after the approval', async () => {
  const asking = await exportThatWaits();
  assert.equal(asking.exported().length, 0);
  await approveExport();
  const { dialog } = asking;
  await dialog.getByRole('button', { name: 'Show' }).click();
  const field = dialog.getByRole('textbox', { name: 'Recovery phrase' });
  await textIn(field, /^([a-z]+ ){11}[a-z]+$/);
  await asking.page.close();
});

test('after a reload, the page explains that no key can open its waiting export', async () => {
  const { page: asking } = await exportThatWaits();
  await asking.reload();
  await goTo(asking, 'Activities');
  await asking
    .getByRole('row', { name: /^Export wallet .*waiting/i })
    .getByRole('link')
    .click();
  const result = asking.getByRole('region', { name: 'Result' });
  await result
    .getByText(/If it was closed or reloaded, reject this activity and export again/)
    .waitFor();
  await approveExport();
  await result.getByText(/If it was closed or reloaded, export again/).waitFor();
  await result.getByText('exportBundle').first().waitFor();
  await asking.close();
});

const clientOf = async (name: string) => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials(name);
  return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
};

/** Returns a page on which alice requested an export that waits for a second vote. */
async function exportThatWaits() {
  const root = await clientOf('root-credentials');
  const { policies } = await root.query('list_policies');
  const policyName = 'two export';
  const denying = policies.find((policy) => policy.policyName === 'only the root quorum exports');
  if (denying !== undefined) {
    await root.submit('delete_policy', { policyId: denying.policyId });
    await root.submit('create_policy', {
      policyName,
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'EXPORT'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    });
  }
  const asking = await dashboard.openAs('alice');
  const exported: string[] = [];
  asking.on('response', async (response) => {
    if (!response.url().includes('/public/v1/')) return;
    const text = await response.text().catch(() => '');
    if (text.includes('exportBundle":')) exported.push(text);
  });
  await goTo(asking, 'Wallets');
  await asking.getByRole('link', { name: 'everyday' }).click();
  await asking.getByRole('button', { name: 'Export wallet' }).click();
  const dialog = asking.getByRole('dialog', { name: 'Export wallet everyday' });
  await dialog.getByRole('radio', { name: 'Show here' }).check();
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog
    .getByRole('status')
    .filter({ hasText: /^Waiting for approval/ })
    .waitFor();
  return { page: asking, dialog, exported: () => exported };
}

async function approveExport(): Promise<void> {
  const root = await clientOf('root-credentials');
  const { activities } = await root.query('list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  });
  const exported = activities.find(({ type }) => type.startsWith('ACTIVITY_TYPE_EXPORT_WALLET'));
  assert(exported !== undefined);
  const outcome = await root.approve(await root.activity(exported.id));
  assert.equal(outcome.outcome, 'done');
}
