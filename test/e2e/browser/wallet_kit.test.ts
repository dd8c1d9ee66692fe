// A React application with the unmodified @turnkey/react-wallet-kit in a real browser: its window signs a
// user up and in, and its provider creates a wallet, signs, refreshes the session and logs out.

import assert from 'node:assert/strict';
import { hashMessage, recoverAddress, serializeSignature } from 'viem';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { serviceOfThisFile, until } from '../service.ts';
import { browserOfThisFile, missingBrowser } from './browser.ts';
import type * as program from './pages/wallet_kit.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_AUTH_PROXY_RATE_LIMIT_SOURCE_PER_SECOND: '0' });
const { openPage, servePage } = await browserOfThisFile();
const { test } = testsThatNeed(missingBrowser);

test('the window of the kit signs up and in, and its provider signs', async () => {
  const { baseUrl, credentials } = service;
  const addresses = {
    apiBaseUrl: baseUrl,
    authProxyUrl: baseUrl,
    authProxyConfigId: credentials.authProxyConfigId,
    organizationId: credentials.organizationId,
  };
  const site = await servePage('wallet_kit.ts');
  const page = await openPage<typeof program>(site);
  const start = async () => {
    await page.call('start', addresses);
    await until('the kit is ready', async () => (await page.call('state')).clientState === 'ready');
  };
  const becomes = (authState: string) =>
    until(authState, async () => (await page.call('state')).authState === authState);
  const pressInWindow = async (button: string) => {
    await page.call('openLogin');
    await until(button, () => page.call('isShown', button));
    await page.call('press', button);
    await becomes('authenticated');
  };

  await start();
  await pressInWindow('passkey-signup-button');
  await until('the user is read', async () => (await page.call('state')).passkeys === 1);
  const { organizationId } = await page.call('state');
  assert.notEqual(organizationId, credentials.organizationId);

  await page.call('createWallet', 'Main');
  await until('the wallet is read', async () => (await page.call('state')).wallets.length === 1);
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
