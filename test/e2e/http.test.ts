// @turnkey/http: whoami, wallets, repeated requests, fingerprints, the activity poller.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeActivityFingerprint } from '@turnkey/crypto';
import { createActivityPoller } from '@turnkey/http';
import { useInstalledClients } from '../support/compiled_clients.ts';
import {
  accountParameters,
  createWallet,
  httpClient,
  isRefusal,
  timestampMs,
  walletBody,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';

useInstalledClients();
const service = await serviceOfThisFile();
const client = httpClient(service);
const { organizationId, userId } = service.credentials;

// AUTH-01
test('whoami returns the ids of the root user', async () => {
  const answer = await client.getWhoami({ organizationId });
  assert.deepEqual(answer, {
    organizationId,
    organizationName: 'First organization',
    userId,
    username: 'Root user',
  });
});

test('the service issues tokens with its public URL as the issuer', async () => {
  const answer = await fetch(`${service.baseUrl}/.well-known/openid-configuration`);
  const { issuer, jwks_uri: address } = await answer.json();
  assert.equal(issuer, service.baseUrl);
  assert.equal((await fetch(address)).status, 200);
});

test('a wallet is found in the lists, and its account by address and by path', async () => {
  const { ethereum, solana } = accountParameters;
  const { walletId, addresses } = await createWallet(service, 'Listed wallet', [ethereum, solana]);

  const { wallets } = await client.getWallets({ organizationId });
  const listed = wallets.find((wallet) => wallet.walletId === walletId);
  assert.equal(listed?.walletName, 'Listed wallet');
  assert.equal(listed?.exported, false);
  assert.equal(listed?.imported, false);
  assert.match(listed?.createdAt.seconds ?? '', /^[0-9]+$/);

  const { accounts } = await client.getWalletAccounts({ organizationId, walletId });
  assert.deepEqual(
    accounts.map(({ address, path, addressFormat, curve }) => ({
      address,
      path,
      addressFormat,
      curve,
    })),
    [ethereum, solana].map(({ path, addressFormat, curve }, i) => ({
      address: addresses[i],
      path,
      addressFormat,
      curve,
    })),
  );

  const address = addresses[0] ?? '';
  const byAddress = await client.getWalletAccount({ organizationId, walletId, address });
  const byPath = await client.getWalletAccount({ organizationId, walletId, path: ethereum.path });
  assert.deepEqual(byAddress.account, accounts[0]);
  assert.deepEqual(byPath.account, accounts[0]);
});

test('a query without an address or a path is refused', async () => {
  const { walletId } = await createWallet(service, 'One account', [accountParameters.ethereum]);
  await assert.rejects(
    client.getWalletAccount({ organizationId, walletId }),
    isRefusal(3, 'REQUEST_INVALID'),
  );
});

test('a body sent twice, and again with a new stamp, creates one activity and one wallet', async () => {
  const body = walletBody(service, 'Made once', [accountParameters.ethereum]);
  const first = await client.stampCreateWallet(body);
  const second = await client.stampCreateWallet(body);
  assert.equal(first.body, second.body);
  assert.notEqual(first.stamp.stampHeaderValue, second.stamp.stampHeaderValue);

  const answers = [];
  for (const request of [first, first, second]) {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: { [request.stamp.stampHeaderName]: request.stamp.stampHeaderValue },
      body: request.body,
    });
    assert.equal(response.status, 200);
    answers.push(await response.json());
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);

  const { wallets } = await client.getWallets({ organizationId });
  assert.equal(wallets.filter((wallet) => wallet.walletName === 'Made once').length, 1);
});

test('the fingerprint equals that of the client for the body', async () => {
  const body = walletBody(service, 'Fingerprinted', []);
  const { activity } = await client.createWallet(body);
  assert.equal(activity.fingerprint, computeActivityFingerprint(JSON.stringify(body)));
});

test('a later query returns the same activity', async () => {
  const { activity } = await client.createWallet(walletBody(service, 'Read again', []));
  const again = await client.getActivity({ organizationId, activityId: activity.id });
  assert.deepEqual(again.activity, activity);
});

test('the activity poller returns the completed activity', async () => {
  const createPolled = createActivityPoller({ client, requestFn: client.createWallet });
  const activity = await createPolled(walletBody(service, 'Polled', [accountParameters.ethereum]));
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(activity.result.createWalletResult?.addresses.length, 1);
});

test('an Ed25519 signature of a payload is returned as r, s and v', async () => {
  const { addresses } = await createWallet(service, 'Signs', [accountParameters.solana]);
  const { activity } = await client.signRawPayload({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      signWith: addresses[0] ?? '',
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    },
  });
  const { r, s, v } = activity.result.signRawPayloadResult ?? { r: '', s: '', v: '' };
  // OP-SIGN-10, OP-SIGN-11, OP-SIGN-12
  assert.match(r, /^[0-9a-f]{64}$/);
  assert.match(s, /^[0-9a-f]{64}$/);
  assert.equal(v, '00');
});
