// Quorum keys are generated, split, and encrypted to operators, who pass the shares to the enclaves of a
// deployment.

import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createHmac, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { combine } from 'shamir-secret-sharing';
import { hex } from '../../../src/core/base/bytes.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkQuery } from '../checks.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  ask,
  encryptKey,
  make,
  makeApp,
  makeDeployment,
  manifestDigestIn,
  operatorKey,
  shown,
  signAs,
  timeOf,
} from './deployment_requests.ts';

/** Decrypts a share with an operator's key, by the published format. */
function openShare(envelopeHex: string, name: string): Buffer {
  const envelope = Buffer.from(envelopeHex, 'hex');
  const [nonce, sender] = [envelope.subarray(0, 12), envelope.subarray(12, 77)];
  assert.equal(envelope.readUInt32LE(77), envelope.length - 81);
  const sealed = envelope.subarray(81);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(testKey(`operator ${name} encrypt`).privateKey);
  const own = pair.getPublicKey();
  const shared = pair.computeSecret(sender);
  const key = createHmac('sha512', Buffer.concat([sender, own, shared]))
    .update('qos_encryption_hmac_message')
    .digest()
    .subarray(0, 32);
  const length = Buffer.of(65);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
    .setAAD(Buffer.concat([sender, length, own, length]))
    .setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

/** Returns the public key of a master seed, by the published derivation. */
function publicKeyOf(seed: Uint8Array): string {
  const points = ['qos_p256_encrypt', 'qos_p256_sign'].map((path) => {
    const secret = new Uint8Array(hkdfSync('sha512', seed, path, '', 32));
    return hex(p256.getPublicKey(secret, false));
  });
  return points.join('');
}

test('create_tvc_quorum_key: enough operators rebuild the key, and each share is for one', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeApp(service);
  const names = ['Ada', 'Bob', 'Eve'];
  const keys = names.map(encryptKey);
  const parameters = { threshold: 2, operatorEncryptKeys: keys };
  const { quorumKeyId, quorumPublicKey, shareIds } = await checkActivity(service, {
    operation: 'create_tvc_quorum_key',
    type: 'ACTIVITY_TYPE_CREATE_TVC_QUORUM_KEY',
    intent: 'createTvcQuorumKeyIntent',
    result: 'createTvcQuorumKeyResult',
    parameters,
    malformed: [
      { field: 'parameters.threshold', parameters: { ...parameters, threshold: 1 } },
      { field: 'parameters.threshold', parameters: { ...parameters, threshold: 4 } },
      {
        field: 'parameters.operatorEncryptKeys',
        parameters: { ...parameters, operatorEncryptKeys: [keys[0], keys[0]] },
      },
      {
        field: 'parameters.operatorEncryptKeys.1',
        parameters: { ...parameters, operatorEncryptKeys: [keys[0], encryptKey('nobody')] },
      },
    ],
  });
  const { tvcQuorumKeys } = await checkQuery(service, {
    operation: 'list_tvc_quorum_keys',
    body: {},
  });
  const [key] = tvcQuorumKeys;
  const { shares, operatorIds, createdAt, updatedAt, ...rest } = key;
  assert.deepEqual(rest, { id: quorumKeyId, publicKey: quorumPublicKey, threshold: 2 });
  assert.deepEqual(createdAt, updatedAt);
  assert.equal(createdAt.seconds, timeOf(service.now()).seconds);
  assert.deepEqual(
    shares.map(({ shareId }: { shareId: string }) => shareId),
    shareIds,
  );
  assert.equal(new Set(operatorIds).size, 3);
  const opened = names.map((name, i) => openShare(shares[i].encryptedShare, name));
  assert.throws(() => openShare(shares[0].encryptedShare, 'Bob'));
  for (const [one, other] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const) {
    // The library expects the coordinate at the end of a share.
    const own = [opened[one], opened[other]].map((share) => {
      assert(share?.length === 33);
      return Uint8Array.from([...share.subarray(1), share[0] ?? 0]);
    });
    assert.equal(publicKeyOf(await combine(own)), quorumPublicKey);
  }
});

test('post_tvc_quorum_key_share: a member of the share set posts a share, and the newest counts', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const deploymentId = await makeDeployment(service, await makeApp(service));
  const deployment = await shown(service, deploymentId);
  const digest = manifestDigestIn(deployment);
  const idOf = (name: string, set: 'manifestSet' | 'shareSet' = 'shareSet') =>
    deployment[set].operators.find((each: { name: string }) => each.name === name).id;
  const bundle = (name: string, changes: object = {}) => ({
    operatorId: idOf(name),
    reEncryptedShareHex: 'ab'.repeat(130),
    signature: signAs(name, digest),
    ...changes,
  });
  const parameters = {
    deploymentId,
    ephemeralPublicKeyHex: operatorKey('enclave'),
    shareApprovalBundle: bundle('Dan'),
  };
  const changed = (changes: object) => ({
    ...parameters,
    shareApprovalBundle: bundle('Dan', changes),
  });
  const { provisioningShareId } = await checkActivity(service, {
    operation: 'post_tvc_quorum_key_share',
    type: 'ACTIVITY_TYPE_POST_TVC_QUORUM_KEY_SHARE',
    intent: 'postTvcQuorumKeyShareIntent',
    result: 'postTvcQuorumKeyShareResult',
    parameters,
    malformed: [
      {
        field: 'parameters.ephemeralPublicKeyHex',
        parameters: { ...parameters, ephemeralPublicKeyHex: encryptKey('enclave') },
      },
      {
        field: 'parameters.shareApprovalBundle.signature',
        parameters: changed({ signature: signAs('Ada', digest) }),
      },
      {
        field: 'parameters.shareApprovalBundle.operatorId',
        parameters: changed({ operatorId: idOf('Bob', 'manifestSet') }),
      },
      ...['ab'.repeat(96), 'ab'.repeat(513), 'zz'].map((reEncryptedShareHex) => ({
        field: 'parameters.shareApprovalBundle.reEncryptedShareHex',
        parameters: changed({ reEncryptedShareHex }),
      })),
    ],
  });
  const sharesOf = async () =>
    (await service.query('get_tvc_deployment', { deploymentId })).body.provisioningShares;
  assert.deepEqual(
    (await sharesOf()).map(({ createdAt: _, ...share }: { createdAt: object }) => share),
    [
      {
        provisioningShareId,
        ephemeralPublicKeyHex: operatorKey('enclave'),
        ...parameters.shareApprovalBundle,
      },
    ],
  );
  const again = await make(service, 'post_tvc_quorum_key_share', {
    ...parameters,
    ephemeralPublicKeyHex: operatorKey('next enclave'),
  });
  await make(service, 'post_tvc_quorum_key_share', {
    ...parameters,
    shareApprovalBundle: bundle('Ada'),
  });
  const [first, second, ...others] = await sharesOf();
  assert.equal(others.length, 0);
  assert.equal(first.provisioningShareId, again.provisioningShareId);
  assert.equal(second.operatorId, idOf('Ada'));
  const unknown = { ...parameters, deploymentId: unknownId };
  assert.equal((await ask(service, 'post_tvc_quorum_key_share', unknown)).status, 404);
  await make(service, 'delete_tvc_deployment', { deploymentId });
  assert.equal((await ask(service, 'post_tvc_quorum_key_share', parameters)).status, 400);
});
