// Sessions, profiles, MFA policies and IP allowlists over the real service, with the unmodified packages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  decryptCredentialBundle,
  generateP256KeyPair,
  getPublicKey,
  verifySessionJwtSignature,
} from '@turnkey/crypto';
import { AuthClient, TurnkeyBrowserClient } from '@turnkey/sdk-browser';
import { hex } from '../../src/core/base/bytes.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../src/enclave/keys/service_keys.ts';
import { isRefusal, newApiKey, serverClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const root = serverClient(service);

// The storage of the browser package for sessions, which stores nothing here.
Object.assign(globalThis, { localStorage: { getItem: () => null, setItem: () => undefined } });

/** Returns a client without a key, which has only a read-only session. */
const readerWith = (readOnlySession: string) =>
  new TurnkeyBrowserClient(
    { apiBaseUrl: service.baseUrl, organizationId, readOnlySession },
    AuthClient.Iframe,
  );

async function addUser(userName: string, keys: readonly { readonly apiPublicKey: string }[]) {
  const { userIds } = await root.createUsers({
    users: [
      {
        userName,
        userTags: [],
        apiKeys: keys.map(({ apiPublicKey }, i) => ({
          apiKeyName: `${userName} ${i}`,
          publicKey: apiPublicKey,
          curveType: 'API_KEY_CURVE_P256' as const,
        })),
        authenticators: [],
        oauthProviders: [],
      },
    ],
  });
  return userIds[0] ?? assert.fail();
}

// Scenario 34
test('a read-only session reads without a key, and submits nothing', async () => {
  await root.createWallet({ walletName: 'To be read', accounts: [] });
  const made = await root.createReadOnlySession({});
  assert.equal(made.organizationId, organizationId);
  const lifeSeconds = Number(made.sessionExpiry) - Date.now() / 1000;
  assert.ok(lifeSeconds > 3_500 && lifeSeconds <= 3_600);

  const reader = readerWith(made.session);
  const { wallets } = await reader.getWallets({ organizationId });
  assert.deepEqual(
    wallets.map(({ walletName }) => walletName),
    ['To be read'],
  );
  assert.equal((await reader.getWhoami({ organizationId })).userId, made.userId);
  await assert.rejects(
    reader.createWallet({ organizationId, walletName: 'Never', accounts: [] }),
    isRefusal(16, 'SIGNATURE_MISSING', /a read-only session cannot submit activities/),
  );
  await assert.rejects(
    readerWith(`${made.session.slice(0, -4)}AAAA`).getWallets({ organizationId }),
    isRefusal(16, 'UNAUTHENTICATED', /the session is not valid here/),
  );
});

// Scenario 35
test('the key in the bundle of a read-write session stamps', async () => {
  const target = generateP256KeyPair();
  const made = await root.createReadWriteSession({
    targetPublicKey: target.publicKeyUncompressed,
    expirationSeconds: '300',
  });
  const apiPrivateKey = decryptCredentialBundle(made.credentialBundle, target.privateKey);
  const apiPublicKey = hex(getPublicKey(apiPrivateKey, true));
  const session = serverClient(service, { key: { apiPrivateKey, apiPublicKey } });
  assert.equal((await session.getWhoami()).userId, made.userId);
  await session.createWallet({ walletName: 'By the session', accounts: [] });
  const { apiKeys } = await root.getApiKeys({ userId: made.userId });
  const key = apiKeys.find(({ apiKeyId }) => apiKeyId === made.apiKeyId);
  assert.equal(key?.credential.type, 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256');
  assert.equal(key?.expirationSeconds, '300');
});

test('a login creates a session with a valid token, with and without a profile', async () => {
  const { sessionProfileId } = await root.createSessionProfile({
    sessionProfileName: 'Signer',
    scope: "activity.action == 'SIGN'",
  });
  const key = newApiKey();
  const { session } = await root.stampLogin({ publicKey: key.apiPublicKey, sessionProfileId });
  assert.equal(await verifySessionJwtSignature(session, notarizerKey()), true);
  const claims = JSON.parse(atob(session.split('.')[1] ?? ''));
  assert.equal(claims.session_type, 'Signer');
  assert.equal(claims.organization_id, organizationId);
  const scoped = serverClient(service, { key });
  assert.equal((await scoped.getWhoami()).userId, claims.user_id);
  await assert.rejects(
    scoped.createWallet({ walletName: 'Never', accounts: [] }),
    isRefusal(7, 'REQUEST_NOT_AUTHORIZED', /scope of the session/),
  );
});

// Scenario 38
test('an activity waits for a second credential of its user', async () => {
  const [first, second] = [newApiKey(), newApiKey()];
  const userId = await addUser('Careful', [first, second]);
  await root.createPolicy({
    policyName: 'Wallets',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'WALLET'",
    consensus: `approvers.any(user, user.id == '${userId}')`,
    notes: '',
  });
  const step = { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' as const }] };
  await root.createMfaPolicy({
    userId,
    mfaPolicyName: 'Two keys',
    condition: 'true',
    requiredAuthenticationMethods: [step, step],
    order: 0,
  });
  const careful = serverClient(service, { key: first });
  const { activity } = await careful.createWallet({ walletName: 'Careful', accounts: [] });
  assert.equal(activity.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
  const { mfaStatuses } = await careful.getMfaStatus({ activityId: activity.id });
  assert.deepEqual(
    mfaStatuses.map(({ satisfied, satisfiedMethods }) => [satisfied, satisfiedMethods.length]),
    [[false, 1]],
  );
  const other = serverClient(service, { key: second });
  const done = await other.approveActivity({ fingerprint: activity.fingerprint });
  assert.equal(done.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.ok(done.activity.result.createWalletResult?.walletId);
});

test('an allowlist refuses requests from other addresses', async () => {
  const { allowlist } = await root.getIpAllowlist({});
  assert.deepEqual([allowlist.enabled, allowlist.rules], [false, []]);
  await assert.rejects(
    root.setIpAllowlist({ rules: [{ cidr: '192.0.2.0/24' }] }),
    isRefusal(9, 'REQUEST_INVALID', /would reject this request/),
  );
  const elsewhere = newApiKey();
  await addUser('Elsewhere', [elsewhere]);
  await root.setIpAllowlist({ rules: [{ cidr: '127.0.0.0/24', label: 'Here' }, { cidr: '::1' }] });
  const { apiPublicKey: publicKey } = elsewhere;
  await root.setIpAllowlist({ publicKey, rules: [{ cidr: '192.0.2.0/24' }] });
  const client = serverClient(service, { key: elsewhere });
  await assert.rejects(
    client.getWhoami(),
    isRefusal(7, 'REQUEST_NOT_AUTHORIZED', /accepts no requests from the address/),
  );
  await root.removeIpAllowlist({});
  await client.getWhoami();
});

/** Derives the key for session tokens from the root key. */
function notarizerKey(): string {
  const rootKey = Uint8Array.from(readFileSync(join(service.dataDirectory, 'root.key')));
  const keys = createServiceKeys(createRootKeys(rootKey), (length) => new Uint8Array(length));
  return hex(keys.publicKey('notarizer'));
}
