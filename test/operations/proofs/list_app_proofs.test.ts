import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { verifyAppProofSignature } from '@turnkey/crypto';
import { stampOf, startTestService, type TestService } from '../../support/harness.ts';
import { activityBody, checkQuery } from '../checks.ts';
import { makePrivateKeys } from '../private_keys/private_key_requests.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';
import { makeProvedWallet, payloadsOf, walletBody } from './proof_requests.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

test('list_app_proofs: returns the proofs that the activity returned', async () => {
  const { activity } = (await makeProvedWallet(service, 'Proved')).body;
  const answer = await checkQuery(service, {
    operation: 'list_app_proofs',
    body: { activityId: activity.id },
  });
  assert.deepEqual(answer, { appProofs: activity.appProofs });
});

// REQ-07
test('an address derivation is proved for each account', async () => {
  const { activity } = (await makeProvedWallet(service, 'Proved')).body;
  const payloads = payloadsOf(activity.appProofs);
  const { walletId, addresses } = activity.result.createWalletResult;
  assert.deepEqual(
    payloads.map(({ addressDerivationProof: proof }) => proof),
    [
      { path: "m/44'/60'/0'/0/0", address: addresses[0] },
      { path: "m/44'/501'/0'/0'", address: addresses[1] },
    ].map(({ path, address }) => ({
      organizationId: activity.organizationId,
      walletId,
      derivationPath: path,
      address,
    })),
  );
  for (const payload of payloads) {
    assert.equal(payload.type, 'APP_PROOF_TYPE_ADDRESS_DERIVATION');
    assert.equal(payload.timestampMs, String(service.now()));
    assert.deepEqual(payload.activity, {
      id: activity.id,
      type: activity.type,
      organizationId: activity.organizationId,
      fingerprint: activity.fingerprint,
      resultDigest: digestOf(activity.result),
    });
  }
});

test('accounts of a new sub-organization are proved under its own id', async () => {
  const child = activityBody(service, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Child',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: 'Owner',
        apiKeys: [
          {
            apiKeyName: 'Key',
            publicKey: service.root.key.publicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    wallet: { walletName: 'Wallet', accounts: [] },
  });
  const text = new TextDecoder().decode(child).replace(
    '"accounts":[]',
    `"accounts":[${JSON.stringify({
      curve: 'CURVE_P256',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: 'm/0',
      addressFormat: 'ADDRESS_FORMAT_COMPRESSED',
    })}]`,
  );
  const body = new TextEncoder().encode(text.replace(/\}$/, ',"generateAppProofs":true}'));
  const stamp = stampOf(body, service.root.key);
  const answer = await service.send('submit', 'create_sub_organization', body, [stamp]);
  const { activity } = answer.body;
  const { subOrganizationId, wallet } = activity.result.createSubOrganizationResultV7;
  const [payload] = payloadsOf(activity.appProofs);
  assert.deepEqual(payload.addressDerivationProof, {
    organizationId: subOrganizationId,
    walletId: wallet.walletId,
    derivationPath: 'm/0',
    address: wallet.addresses[0],
  });
});

test('an activity without derived addresses proves the decision', async () => {
  await makeProvedWallet(service, 'Wallet');
  const { walletId } = (await service.query('list_wallets')).body.wallets[0];
  const text = new TextDecoder().decode(
    activityBody(service, 'ACTIVITY_TYPE_UPDATE_WALLET', { walletId, walletName: 'Other' }),
  );
  const body = new TextEncoder().encode(text.replace(/\}$/, ',"generateAppProofs":true}'));
  const stamp = stampOf(body, service.root.key);
  const { activity } = (await service.send('submit', 'update_wallet', body, [stamp])).body;
  const [payload, second] = payloadsOf(activity.appProofs);
  assert.equal(second, undefined);
  assert.equal(payload.type, 'APP_PROOF_TYPE_POLICY_OUTCOME');
  const { policyOutcomeProof: proof } = payload;
  assert.equal(proof.organizationId, activity.organizationId);
  assert.equal(proof.outcome, 'OUTCOME_ALLOW');
  assert.equal(proof.parentOrganizationDataDigest, '');
  assert.match(proof.organizationDataDigest, /^[0-9a-f]{64}$/);
  assert.equal(proof.decisionContextDigest, digestOf([]));
  const [{ scheme, publicKey, signature }] = activity.votes;
  const messageDigest = activity.fingerprint.replace('sha256:', '');
  assert.deepEqual(proof.userRequestApprovals, [{ scheme, publicKey, messageDigest, signature }]);
});

for (const what of ['wallet', 'wallet_account', 'private_key'] as const) {
  test(`an export of a ${what} derives no address, so its proof shows the decision`, async () => {
    const made = (await makeProvedWallet(service, 'Exported')).body.activity;
    const { walletId, addresses } = made.result.createWalletResult;
    const [privateKey] = await makePrivateKeys(service);
    const exported = {
      wallet: { walletId },
      wallet_account: { address: addresses[0] },
      private_key: { privateKeyId: privateKey?.privateKeyId },
    }[what];
    const type = `ACTIVITY_TYPE_EXPORT_${what.toUpperCase()}`;
    const text = new TextDecoder().decode(
      activityBody(service, type, { ...exported, targetPublicKey }),
    );
    const body = new TextEncoder().encode(text.replace(/\}$/, ',"generateAppProofs":true}'));
    const stamp = stampOf(body, service.root.key);
    const { activity } = (await service.send('submit', `export_${what}`, body, [stamp])).body;
    assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
    assert.deepEqual(
      payloadsOf(activity.appProofs).map((payload) => payload.type),
      ['APP_PROOF_TYPE_POLICY_OUTCOME'],
    );
  });
}

test('the public package refuses altered proofs', async () => {
  const { activity } = (await makeProvedWallet(service, 'Proved')).body;
  const [proof] = activity.appProofs;
  const flipped = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;
  const altered = [
    { ...proof, proofPayload: proof.proofPayload.replace('"address":"0x', '"address":"0X') },
    { ...proof, proofPayload: `${proof.proofPayload} ` },
    { ...proof, signature: flipped(proof.signature) },
    { ...proof, publicKey: activity.appProofs[0].publicKey.slice(0, 130).repeat(2) },
    { ...proof, scheme: 'SIGNATURE_SCHEME_TK_API_P256' },
  ];
  verifyAppProofSignature(proof);
  for (const one of altered) assert.throws(() => verifyAppProofSignature(one));
});

test('proofs are created only on request', async () => {
  for (const generateAppProofs of [undefined, false]) {
    const name = `Wallet ${generateAppProofs}`;
    const { activity } = (await makeProvedWallet(service, name, { generateAppProofs })).body;
    assert.ok(!('appProofs' in activity));
    const answer = await service.query('list_app_proofs', { activityId: activity.id });
    assert.deepEqual(answer.body, { appProofs: [] });
  }
  const inside = await service.submit(
    'update_organization_name',
    'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    {
      organizationName: 'Renamed',
      generateAppProofs: true,
    },
  );
  assert.equal(inside.status, 200);
  assert.ok(!('appProofs' in inside.body.activity));
  const wrong = await makeProvedWallet(service, 'Wrong', { generateAppProofs: 'yes' });
  assert.equal(wrong.status, 400);
});

test('repeated requests and later reads show the same proofs', async () => {
  const body = walletBody(service, 'Proved', { generateAppProofs: true });
  const send = () =>
    service.send('submit', 'create_wallet', body, [stampOf(body, service.root.key)]);
  const { activity } = (await send()).body;
  service.advance(60_000);
  assert.deepEqual((await send()).body.activity.appProofs, activity.appProofs);
  const later = await service.query('get_activity', { activityId: activity.id });
  assert.deepEqual(later.body.activity.appProofs, activity.appProofs);
});

test('activities of other organizations and unknown activities are not found', async () => {
  const activityId = '0192f1e5-0000-7000-8000-000000000000';
  const answer = await service.query('list_app_proofs', { activityId });
  assert.equal(answer.status, 404);
  assert.equal(answer.body.code, 5);
});
