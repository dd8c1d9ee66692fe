// New users in a real browser, through the unmodified client for pages.

import assert from 'node:assert/strict';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { serviceOfThisFile, until } from '../service.ts';
import { browserOfThisFile, missingBrowser, type Site, type TestPage } from './browser.ts';
import type * as onboardingProgram from './pages/onboarding.ts';

const service = await serviceOfThisFile({ KEYWRIGHT_AUTH_PROXY_RATE_LIMIT_SOURCE_PER_SECOND: '0' });
const { baseUrl, credentials } = service;
const { openPage, servePage } = await browserOfThisFile();
const { before, test } = testsThatNeed(missingBrowser);
const addresses = {
  apiBaseUrl: baseUrl,
  authProxyUrl: baseUrl,
  authProxyConfigId: credentials.authProxyConfigId,
  organizationId: credentials.organizationId,
};

const inbox = async (): Promise<readonly { readonly text: string }[]> =>
  (await (await fetch(service.inboxUrl())).json()).messages;

let site: Site;
before(async () => {
  site = await servePage('onboarding.ts');
});

async function startPage(): Promise<TestPage<typeof onboardingProgram>> {
  const page = await openPage<typeof onboardingProgram>(site);
  await page.call('start', addresses);
  return page;
}

// Scenario 27
test('a passkey signs up, out and in again with only the ID of the parent', async () => {
  const page = await startPage();
  await page.call('signUpWithPasskey');
  const first = await page.call('session');
  assert(first !== undefined);
  assert.notEqual(first.organizationId, credentials.organizationId);
  const { wallets, ...user } = await page.call('userAndWallets');
  assert.deepEqual(user, { userName: 'Alice', email: undefined, passkeys: 1 });
  assert.deepEqual(
    wallets.map(({ walletName }) => walletName),
    ['Main'],
  );
  assert.match(wallets[0]?.addresses[0] ?? '', /^0x[0-9a-fA-F]{40}$/);

  await page.call('logout');
  assert.equal(await page.call('session'), undefined);
  await page.call('loginWithPasskey');
  assert.deepEqual(await page.call('session'), first);
  assert.deepEqual((await page.call('userAndWallets')).wallets, wallets);

  await page.call('refreshSession');
  assert.deepEqual(await page.call('session'), first);
  assert.equal((await page.call('userAndWallets')).userName, 'Alice');
});

// Scenario 30
test('a wallet signs up the first time, and signs in afterwards', async () => {
  const page = await startPage();
  const address = await page.call('injectWallet', `0x${'4c'.repeat(32)}`);
  assert.match(address, /^0x/);
  assert.equal(await page.call('loginOrSignupWithWallet'), 'SIGNUP');
  const first = await page.call('session');
  await page.call('logout');
  assert.equal(await page.call('loginOrSignupWithWallet'), 'LOGIN');
  assert.deepEqual(await page.call('session'), first);
});

// Scenario 26
test('a code signs up and in', async () => {
  const page = await startPage();
  const parameters = { otpType: 'OTP_TYPE_EMAIL', contact: 'alice@example.com' };
  const { keys } = await (await fetch(`${baseUrl}/public/v1/discovery/keys`)).json();
  const serviceKey = keys.find(({ role }: { role: string }) => role === 'verifier').publicKey;
  const verified = async () => {
    const before = (await inbox()).length;
    const started = await page.call('initOtp', parameters);
    await until('the code arrives', async () => (await inbox()).length > before);
    const code = /^([0-9A-Z]{9})$/m.exec((await inbox())[0]?.text ?? '')?.[1] ?? '';
    return page.call('verifyOtp', { ...started, code, serviceKey });
  };
  const verificationToken = await verified();
  await page.call('signUpWithOtp', { ...parameters, verificationToken });
  const first = await page.call('session');
  assert.equal((await page.call('userAndWallets')).email, parameters.contact);
  await page.call('logout');
  await page.call('loginWithOtp', await verified());
  assert.deepEqual(await page.call('session'), first);
  assert.equal((await page.call('userAndWallets')).email, parameters.contact);
});
