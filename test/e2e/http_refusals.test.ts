// @turnkey/http: refusals of the service, and the errors of the client.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { TurnkeyClient } from '@turnkey/http';
import {
  type ApiKeyPair,
  httpClient,
  isRefusal,
  newApiKey,
  stamper,
  timestampMs,
  walletBody,
} from './clients.ts';
import { serviceOfThisFile, until } from './service.ts';

const service = await serviceOfThisFile();
const client = httpClient(service);
const { organizationId, userId, apiPublicKey } = service.credentials;
const createWalletPath = '/public/v1/submit/create_wallet';

function clientStampedBy(stamp: TurnkeyClient['stamper']['stamp']): TurnkeyClient {
  return new TurnkeyClient({ baseUrl: service.baseUrl }, { stamp });
}

// AUTH-01, AUTH-02
test('a body other than the stamped one is refused', async () => {
  const root = stamper(service.credentials);
  const tampering = clientStampedBy((body) => root.stamp(body.replace('}', ' }')));
  await assert.rejects(
    tampering.getWhoami({ organizationId }),
    isRefusal(16, 'SIGNATURE_INVALID', /could not verify api key signature/),
  );
  const body = walletBody(service, 'Tampered', []);
  await assert.rejects(tampering.createWallet(body), isRefusal(16, 'SIGNATURE_INVALID'));
  const { wallets } = await client.getWallets({ organizationId });
  assert.deepEqual(
    wallets.filter((wallet) => wallet.walletName === 'Tampered'),
    [],
  );
});

test('an unknown key is refused', async () => {
  await assert.rejects(
    httpClient(service, newApiKey()).getWhoami({ organizationId }),
    isRefusal(16, 'PUBLIC_KEY_NOT_FOUND', /could not find public key/),
  );
});

test("a signature of another key with the root user's public key is refused", async () => {
  const stranger = stamper(newApiKey());
  const pretending = clientStampedBy(async (body) => {
    const { stampHeaderName, stampHeaderValue } = await stranger.stamp(body);
    const stamp = JSON.parse(Buffer.from(stampHeaderValue, 'base64url').toString());
    const altered = JSON.stringify({ ...stamp, publicKey: apiPublicKey });
    return { stampHeaderName, stampHeaderValue: Buffer.from(altered).toString('base64url') };
  });
  await assert.rejects(
    pretending.getWhoami({ organizationId }),
    isRefusal(16, 'SIGNATURE_INVALID'),
  );
});

test('a request without a stamp is refused', async () => {
  const stampless = clientStampedBy(() =>
    Promise.resolve({ stampHeaderName: 'X-Something-Else', stampHeaderValue: 'nothing' }),
  );
  await assert.rejects(stampless.getWhoami({ organizationId }), isRefusal(16, 'SIGNATURE_MISSING'));
  await assert.rejects(
    stampless.createWallet(walletBody(service, 'Stampless', [])),
    isRefusal(16, 'SIGNATURE_MISSING'),
  );
});

// AUTH-05
test('two authentication headers are refused', async () => {
  const body = JSON.stringify({ organizationId });
  const { stampHeaderValue } = await stamper(service.credentials).stamp(body);
  const response = await fetch(`${service.baseUrl}/public/v1/query/whoami`, {
    method: 'POST',
    headers: { 'X-Stamp': stampHeaderValue, 'X-Stamp-Webauthn': '{}' },
    body,
  });
  assert.equal(response.status, 401);
  const answer = await response.json();
  assert(answer !== null && typeof answer === 'object' && 'code' in answer);
  assert.equal(answer.code, 16);
});

test('an expired key is refused', async () => {
  const shortLived: ApiKeyPair = newApiKey();
  await client.createApiKeys({
    type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      userId,
      apiKeys: [
        {
          apiKeyName: 'Short-lived key',
          publicKey: shortLived.apiPublicKey,
          curveType: 'API_KEY_CURVE_P256',
          expirationSeconds: '1',
        },
      ],
    },
  });
  const late = httpClient(service, shortLived);
  await until('the key has expired', () =>
    late.getWhoami({ organizationId }).then(
      () => false,
      () => true,
    ),
  );
  await assert.rejects(
    late.getWhoami({ organizationId }),
    isRefusal(16, 'API_KEY_EXPIRED', /expired api key/),
  );
});

test('an unknown activity type is refused', async () => {
  const body = { ...walletBody(service, 'Unknown type', []), type: 'ACTIVITY_TYPE_CREATE_NOTHING' };
  await assert.rejects(
    client.request(createWalletPath, body),
    isRefusal(3, 'REQUEST_INVALID', /`type`.*fieldViolations/),
  );
});

// ENUM-08
test('the activity type of another operation is refused', async () => {
  const body = walletBody(service, 'Wrong path', []);
  await assert.rejects(
    client.request('/public/v1/submit/sign_raw_payload', body),
    isRefusal(3, 'REQUEST_INVALID', /ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2.*fieldViolations/),
  );
});

test('a missing parameter is named', async () => {
  const { parameters, ...envelope } = walletBody(service, 'No accounts', []);
  const body = { ...envelope, parameters: { walletName: parameters.walletName } };
  await assert.rejects(
    client.request(createWalletPath, body),
    isRefusal(3, 'REQUEST_INVALID', /"field":"parameters\.accounts"/),
  );
});

test('text that is no UUID is refused', async () => {
  await assert.rejects(
    client.getWhoami({ organizationId: 'not-an-id' }),
    isRefusal(3, 'INVALID_ORGANIZATION_ID'),
  );
  await assert.rejects(
    client.getWallet({ organizationId, walletId: 'not-an-id' }),
    isRefusal(3, 'REQUEST_INVALID', /"field":"walletId"/),
  );
});

test('an unknown UUID is not found', async () => {
  await assert.rejects(
    client.getWhoami({ organizationId: randomUUID() }),
    isRefusal(5, 'ORGANIZATION_NOT_FOUND'),
  );
  await assert.rejects(
    client.getWallet({ organizationId, walletId: randomUUID() }),
    isRefusal(5, 'REQUEST_INVALID'),
  );
});

// REQ-03, AUTH-15
test('a timestamp outside the window is refused', async () => {
  for (const [name, awayMs, reason] of [
    ['Too old', -3_600_000, /ms old.*"field":"timestampMs"/],
    ['Too early', 3_600_000, /ms ahead.*"field":"timestampMs"/],
  ] as const) {
    const body = { ...walletBody(service, name, []), timestampMs: String(Date.now() + awayMs) };
    await assert.rejects(client.createWallet(body), isRefusal(3, 'REQUEST_INVALID', reason));
  }
});

test('refused requests leave no trace', async () => {
  const before = await client.getWallets({ organizationId });
  const body = { ...walletBody(service, 'Refused', []), timestampMs: '1' };
  await assert.rejects(client.createWallet(body), isRefusal(3, 'REQUEST_INVALID'));
  const after = await client.getWallets({ organizationId });
  assert.deepEqual(after, before);
  const { activities } = await client.getActivities({
    organizationId,
    filterByType: ['ACTIVITY_TYPE_CREATE_WALLET'],
  });
  assert.deepEqual(activities, []);
});
