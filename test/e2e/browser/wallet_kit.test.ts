// A React application with the unmodified @turnkey/react-wallet-kit in a real browser: its window signs a
// user up and in, its provider creates a wallet, signs, refreshes the session and logs out, and its windows
// export and import wallets with the frames of the service.

import assert from 'node:assert/strict';
import { hashMessage, recoverAddress, serializeSignature } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { serviceOfThisFile, until } from '../service.ts';
import { browserOfThisFile, missingBrowser } from './browser.ts';
import type * as program from './pages/wallet_kit.ts';

const { openPage, servePage } = await browserOfThisFile();
const site = await servePage('wallet_kit.ts');
const service = await serviceOfThisFile({
  KEYWRIGHT_AUTH_PROXY_RATE_LIMIT_SOURCE_PER_SECOND: '0',
  KEYWRIGHT_FRAME_ORIGINS: site.origin,
});
const { test } = testsThatNeed(missingBrowser);

/** Opens the application and signs a new user up, whose wallet has one account. */
async function openApplication() {
  const { baseUrl, credentials } = service;
  const addresses = {
    apiBaseUrl: baseUrl,
    authProxyUrl: baseUrl,
    authProxyConfigId: credentials.authProxyConfigId,
    organizationId: credentials.organizationId,
    exportIframeUrl: `${baseUrl}/frames/export`,
    importIframeUrl: `${baseUrl}/frames/import`,
  };
  const page = await openPage<typeof program>(site);
  const start = async () => {
    await page.call('start', addresses);
    await until('the kit is ready', async () => (await page.call('state')).clientState === 'ready');
  };
  const becomes = (authState: string) =>
    until(authState, async () => (await page.call('state')).authState === authState);
  const pressShown = async (button: string) => {
    await until(button, () => page.call('isShown', button));
    await page.call('press', button);
  };
  const pressInWindow = async (button: string) => {
    await page.call('openLogin');
    await pressShown(button);
    await becomes('authenticated');
  };

  await start();
  await pressInWindow('passkey-signup-button');
  await until('the user is read', async () => (await page.call('state')).passkeys === 1);
  const { organizationId } = await page.call('state');
  assert.notEqual(organizationId, credentials.organizationId);

  await page.call('createWallet', 'Main');
  await until('the wallet is read', async () => (await page.call('state')).wallets.length === 1);
  return { page, organizationId, start, becomes, pressShown, pressInWindow };
}

test('the window of the kit signs up and in, and its provider signs', async () => {
  const { page, organizationId, start, becomes, pressInWindow } = await openApplication();
  const signed = await page.call('state');
  const [wallet] = signed.wallets;
  assert.equal(wallet?.walletName, 'Main');
  const signer = async (message: string) => {
    const { r, s, v } = await page.call('signMessage', message);
    const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
    return recoverAddress({ hash: hashMessage(message), signature });
  };
  assert.equal(await signer('first'), wallet?.addresses[0]);
  await page.call('refreshSession');

  await page.goTo(site);
  await start();
  await becomes('authenticated');
  await until('the wallet is read', async () => (await page.call('state')).wallets.length === 1);
  assert.deepEqual(await page.call('state'), signed);
  assert.equal(await signer('after a reload'), wallet?.addresses[0]);

  await page.call('logout');
  await becomes('unauthenticated');
  await pressInWindow('passkey-login-button');
  await until('the wallet is read', async () => (await page.call('state')).wallets.length === 1);
  assert.equal((await page.call('state')).organizationId, organizationId);
});

test('the windows of the kit export a wallet and import one, with the frames of the service', async () => {
  const { page, pressShown } = await openApplication();
  await page.call('openExport');
  await until('the frame is ready', () => page.call('frameIsReady'));
  await pressShown('confirm-export-warning-button');
  const mnemonic = await page.shownInFrame('#secret');
  const [main] = (await page.call('state')).wallets;
  assert.equal(mnemonicToAccount(mnemonic).address, main?.addresses[0]);
  await pressShown('export-done');

  await page.call('openImport', 'Typed');
  await until('the frame is ready', () => page.call('frameIsReady'));
  await page.typeInFrame(
    '#plaintext',
    'test test test test test test test test test test test junk',
  );
  await pressShown('import-button');
  await until('the wallet is read', async () => (await page.call('state')).wallets.length === 2);
  const { wallets } = await page.call('state');
  const typed = wallets.find(({ walletName }) => walletName === 'Typed');
  assert.deepEqual(typed?.addresses, ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266']);
});
