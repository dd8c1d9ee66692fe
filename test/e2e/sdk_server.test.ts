// @turnkey/sdk-server: a sub-organization with its own root user and wallet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountParameters, isRefusal, newApiKey, serverClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const parent = serverClient(service);
const childKey = newApiKey();

const created = await parent.createSubOrganization({
  subOrganizationName: 'Customer',
  rootQuorumThreshold: 1,
  rootUsers: [
    {
      userName: 'Customer',
      apiKeys: [
        {
          apiKeyName: 'Customer key',
          publicKey: childKey.apiPublicKey,
          curveType: 'API_KEY_CURVE_P256',
        },
      ],
      authenticators: [],
      oauthProviders: [],
    },
  ],
  wallet: {
    walletName: 'Customer wallet',
    accounts: [accountParameters.ethereum, accountParameters.solana],
  },
});
const childId = created.subOrganizationId;
const child = serverClient(service, { key: childKey, organizationId: childId });

test('the result names the organization, its root user and its wallet', () => {
  assert.equal(created.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(created.activity.type, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8');
  assert.equal(created.activity.organizationId, organizationId);
  assert.equal(created.rootUserIds?.length, 1);
  assert.equal(created.wallet?.addresses.length, 2);
});

test('its root user can sign in there', async () => {
  const answer = await child.getWhoami();
  assert.equal(answer.organizationId, childId);
  assert.equal(answer.organizationName, 'Customer');
  assert.equal(answer.userId, created.rootUserIds?.[0]);
});

test('its root user lists the wallet and signs with it', async () => {
  const { wallets } = await child.getWallets();
  assert.deepEqual(
    wallets.map((wallet) => [wallet.walletId, wallet.walletName]),
    [[created.wallet?.walletId, 'Customer wallet']],
  );
  const signed = await child.signRawPayload({
    signWith: created.wallet?.addresses[0] ?? '',
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
  assert.match(signed.r, /^[0-9a-f]{64}$/);
});

test('the parent reads it', async () => {
  const { wallets } = await parent.getWallets({ organizationId: childId });
  assert.equal(wallets[0]?.walletId, created.wallet?.walletId);
  const found = await parent.getSubOrgIds({
    organizationId,
    filterType: 'NAME',
    filterValue: 'Customer',
  });
  assert.deepEqual(found.organizationIds, [childId]);
});

test('the parent cannot write to it', async () => {
  await assert.rejects(
    parent.createWallet({ organizationId: childId, walletName: 'Not yours', accounts: [] }),
    isRefusal(3, 'ORGANIZATION_MISMATCH'),
  );
  await assert.rejects(
    parent.signRawPayload({
      organizationId: childId,
      signWith: created.wallet?.addresses[0] ?? '',
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    }),
    isRefusal(3, 'ORGANIZATION_MISMATCH'),
  );
  const { wallets } = await child.getWallets();
  assert.equal(wallets.length, 1);
});

test('it cannot read the parent', async () => {
  await assert.rejects(child.getWallets({ organizationId }), isRefusal(16, 'PUBLIC_KEY_NOT_FOUND'));
});

test('the parent and a sub-organization have different addresses', async () => {
  await assert.rejects(
    parent.signRawPayload({
      signWith: created.wallet?.addresses[0] ?? '',
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    }),
    isRefusal(5, 'REQUEST_INVALID', /Could not find any resource to sign with/),
  );
});
