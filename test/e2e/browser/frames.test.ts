// The frames for exports and imports with the unmodified stamper of frames in a real browser: the secret is
// only in the frame, and the application that embeds it has only sealed bundles.

import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { freePort } from '../../support/free_port.ts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { serverClient } from '../clients.ts';
import { serviceOfThisFile, startService, temporaryDirectory } from '../service.ts';
import { browserOfThisFile, launchBrowser, missingBrowser } from './browser.ts';
import type * as program from './pages/frames.ts';

const { openPage, servePage } = await browserOfThisFile();
const site = await servePage('frames.ts');
const stranger = await servePage('frames.ts');
const service = await serviceOfThisFile({ KEYWRIGHT_FRAME_ORIGINS: site.origin });
const { test } = testsThatNeed(missingBrowser);

const { baseUrl, credentials } = service;
const { organizationId, userId } = credentials;
const client = serverClient(service);
const frame = (name: string) => `${baseUrl}/frames/${name}`;

const mnemonic = 'test test test test test test test test test test test junk';
const firstAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const ethereumAccount = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
} as const;

test('a wallet is typed into the frame for imports and shown by the frame for exports', async () => {
  const page = await openPage<typeof program>(site);
  assert.equal(await page.call('embed', frame('import')), '');
  await page.call('applySettings', { enablePassphrase: true });
  await page.typeInFrame('#plaintext', `  ${mnemonic.replace(' ', '\n')} `);
  await page.typeInFrame('#passphrase', 'correct horse');
  const { importBundle } = await client.initImportWallet({ userId });
  assert.equal(await page.call('injectImportBundle', importBundle, organizationId, userId), true);
  const encryptedBundle = await page.call('extractWalletEncryptedBundle');
  const accounts = [ethereumAccount];
  const imported = { userId, walletName: 'Typed', encryptedBundle, accounts };
  const { walletId, addresses } = await client.importWallet(imported);
  assert.notEqual(addresses[0], firstAddress, 'the passphrase is part of the seed');

  const targetPublicKey = await page.call('embed', frame('export'));
  const { exportBundle } = await client.exportWallet({ walletId, targetPublicKey });
  assert.equal(await page.call('injectWalletExportBundle', exportBundle, organizationId), true);
  assert.equal(await page.shownInFrame('#secret'), mnemonic);
  assert.equal(await page.shownInFrame('#passphrase'), 'correct horse');
});

test('a wallet without a passphrase has the accounts of its mnemonic', async () => {
  const page = await openPage<typeof program>(site);
  await page.call('embed', frame('import'));
  await page.typeInFrame('#plaintext', mnemonic);
  const { importBundle } = await client.initImportWallet({ userId });
  await page.call('injectImportBundle', importBundle, organizationId, userId);
  const encryptedBundle = await page.call('extractWalletEncryptedBundle');
  const imported = { userId, walletName: 'Plain', encryptedBundle, accounts: [ethereumAccount] };
  const { addresses } = await client.importWallet(imported);
  assert.deepEqual(addresses, [firstAddress]);

  const targetPublicKey = await page.call('embed', frame('export'));
  const asked = { address: firstAddress, targetPublicKey };
  const { exportBundle } = await client.exportWalletAccount(asked);
  await page.call('injectKeyExportBundle', exportBundle, organizationId, 'HEXADECIMAL');
  const key = await page.shownInFrame('#secret');
  assert.equal(privateKeyToAccount(`0x${key}`).address, firstAddress);
});

test('a private key keeps its value in each format', async () => {
  const page = await openPage<typeof program>(site);
  // A key of the Bitcoin wiki in both formats.
  const texts: readonly (readonly [string, string, 'CURVE_ED25519' | 'CURVE_SECP256K1'])[] = [
    [
      'HEXADECIMAL',
      '0C28FCA386C7A227600B2FE50B7CAE11EC86D3BF1FBE471BE89827E19D72AA1D',
      'CURVE_SECP256K1',
    ],
    [
      'BITCOIN_MAINNET_WIF',
      'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617',
      'CURVE_SECP256K1',
    ],
  ];
  for (const [format, text, curve] of texts) {
    await page.call('embed', frame('import'));
    await page.typeInFrame('#plaintext', text);
    const { importBundle } = await client.initImportPrivateKey({ userId });
    await page.call('injectImportBundle', importBundle, organizationId, userId);
    const encryptedBundle = await page.call('extractKeyEncryptedBundle', format);
    const { privateKeyId } = await client.importPrivateKey({
      userId,
      privateKeyName: format,
      encryptedBundle,
      curve,
      addressFormats: [],
    });
    const targetPublicKey = await page.call('embed', frame('export'));
    const { exportBundle } = await client.exportPrivateKey({ privateKeyId, targetPublicKey });
    await page.call('injectKeyExportBundle', exportBundle, organizationId, format);
    const shown = await page.shownInFrame('#secret');
    assert.equal(shown, format === 'HEXADECIMAL' ? text.toLowerCase() : text);
  }
});

test('a key of the frame opens one export, and a new one is initialized', async () => {
  const page = await openPage<typeof program>(site);
  const first = await page.call('embed', frame('export'));
  assert.equal(await page.call('getEmbeddedPublicKey'), first);
  await page.call('clearEmbeddedKey');
  assert.equal(await page.call('getEmbeddedPublicKey'), '');
  const targetPublicKey = await page.call('initEmbeddedKey');
  assert(targetPublicKey !== null && targetPublicKey !== first);
  const accounts = [ethereumAccount];
  const { walletId } = await client.createWallet({ walletName: 'Once', accounts });
  const { exportBundle } = await client.exportWallet({ walletId, targetPublicKey });
  await page.call('injectWalletExportBundle', exportBundle, organizationId);
  await assert.rejects(
    page.call('injectWalletExportBundle', exportBundle, organizationId),
    /no key/,
  );
});

test('a frame refuses bundles of other organizations, users and services', async () => {
  const page = await openPage<typeof program>(site);
  const { importBundle } = await client.initImportWallet({ userId });
  const other = '11111111-1111-4111-8111-111111111111';
  await page.call('embed', frame('import'));
  await page.typeInFrame('#plaintext', mnemonic);
  await assert.rejects(
    page.call('injectImportBundle', importBundle, other, userId),
    /another organization/,
  );
  await assert.rejects(
    page.call('injectImportBundle', importBundle, organizationId, other),
    /another user/,
  );
  const foreign = await startService({ dataDirectory: temporaryDirectory() });
  const theirs = serverClient(foreign);
  const { importBundle: ofOther } = await theirs.initImportWallet({
    userId: foreign.credentials.userId,
  });
  await foreign.stop();
  const { organizationId: theirId, userId: theirUser } = foreign.credentials;
  await assert.rejects(page.call('injectImportBundle', ofOther, theirId, theirUser), /signed by/);
  await assert.rejects(page.call('extractWalletEncryptedBundle'), /no import bundle/);
});

test('a frame refuses messages that it does not serve', async () => {
  const page = await openPage<typeof program>(site);
  await page.call('embed', frame('export'));
  await assert.rejects(page.call('stamp', '{}'), /does not support STAMP_REQUEST/);
});

test('an application styles its frame, within the known properties', async () => {
  const page = await openPage<typeof program>(site);
  await page.call('embed', frame('import'));
  const styles = { backgroundColor: '#e5e7eb', fontSize: '19px' };
  assert.equal(await page.call('applySettings', { styles }), true);
  assert.equal(await page.styleInFrame('#plaintext', 'font-size'), '19px');
  assert.equal(await page.styleInFrame('#plaintext', 'background-color'), 'rgb(229, 231, 235)');
  const refused = [
    { position: 'fixed' },
    { fontSize: 'large; position: fixed' },
    { backgroundColor: 'url(https://other.example)' },
  ];
  for (const each of refused) {
    await assert.rejects(page.call('applySettings', { styles: { fontSize: '9px', ...each } }));
  }
  assert.equal(await page.styleInFrame('#plaintext', 'font-size'), '19px');
});

test('a page of another origin cannot embed a frame', async () => {
  const page = await openPage<typeof program>(stranger);
  await page.call('embedInVain', frame('export'));
  assert.match(page.frameUrl(), /^chrome-error:/);
});

test('a frame serves neither a page of its own origin nor a window', async (t) => {
  const port = await freePort();
  const own = `http://127.0.0.1:${port}`;
  const environment = { KEYWRIGHT_PORT: String(port), KEYWRIGHT_FRAME_ORIGINS: own };
  const other = await startService({ dataDirectory: temporaryDirectory(), environment });
  t.after(() => other.stop());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${own}/frames/export`);
  await page.getByText('belongs in a frame').waitFor();

  // A page of the service without a policy for its content.
  await page.goto(`${own}/health/live`);
  await page.evaluate((origin) => {
    const frame = document.createElement('iframe');
    frame.src = `${origin}/frames/export`;
    frame.addEventListener('load', () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => document.body.append('answered');
      frame.contentWindow?.postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, origin, [port2]);
    });
    document.body.append(frame);
  }, own);
  await page.frameLocator('iframe').getByText('application of another origin').waitFor();
  assert.equal(await page.getByText('answered').count(), 0);
});
