// An application with the unmodified @turnkey/sdk-browser in a real browser: sign-up with a passkey through a
// server, a session, signatures and the logout.

import assert from 'node:assert/strict';
import { keccak256, recoverAddress, serializeSignature, stringToBytes } from 'viem';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { serverClient } from '../clients.ts';
import { serviceOfThisFile } from '../service.ts';
import { browserOfThisFile, missingBrowser } from './browser.ts';
import type * as program from './pages/browser_sdk.ts';

const service = await serviceOfThisFile();
const { baseUrl } = service;
const { openPage, servePage } = await browserOfThisFile();
const { test } = testsThatNeed(missingBrowser);
/** The server of the application. */
const server = serverClient(service);

test('a passkey signs up, a session signs over a reload, and the logout ends it', async () => {
  const site = await servePage('browser_sdk.ts');
  const page = await openPage<typeof program>(site);
  const { organizationId: parentId } = service.credentials;
  await page.call('start', { baseUrl, organizationId: parentId });
  const passkey = await page.call('createPasskey');
  const created = await server.createSubOrganization({
    subOrganizationName: 'Alice',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: 'Alice',
        apiKeys: [],
        oauthProviders: [],
        authenticators: [{ authenticatorName: 'Phone', ...passkey }],
      },
    ],
    wallet: {
      walletName: 'Main',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
  });
  const { subOrganizationId: organizationId, rootUserIds, wallet } = created;
  const address = wallet?.addresses[0] ?? '';
  const expected = { organizationId, userId: rootUserIds?.[0] };

  await page.call('start', { baseUrl, organizationId });
  assert.equal((await page.call('session')) ?? undefined, undefined);
  await page.call('login');
  assert.deepEqual(await page.call('session'), expected);
  const signedBy = async (text: string) => {
    const { r, s, v } = await page.call('sign', address, text);
    const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
    return await recoverAddress({ hash: keccak256(stringToBytes(text)), signature });
  };
  assert.equal(await signedBy('first'), address);

  await page.goTo(site);
  await page.call('start', { baseUrl, organizationId });
  assert.deepEqual(await page.call('session'), expected);
  assert.equal(await signedBy('after a reload'), address);
  await page.call('refresh');
  assert.equal(await signedBy('after a refresh'), address);
  const { userId } = await page.call('whoami');
  assert.equal(userId, expected.userId);

  await page.call('logout');
  assert.equal((await page.call('session')) ?? undefined, undefined);
  await assert.rejects(page.call('sign', address, 'after the logout'), Error);
  await page.call('login');
  assert.equal(await signedBy('after a second login'), address);
});
