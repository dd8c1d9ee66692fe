// External keys under the rules of the service: the service decides, counts and records, and the holder
// only signs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { secp256k1 } from '../../src/core/crypto/secp256k1.ts';
import { auditLine } from '../../src/core/views/audit_line.ts';
import { assertFrozen, makeFreeze } from '../operations/freezes/freeze_requests.ts';
import { addChild, addPlainUser } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { register, registered, signatureIn, signPayload } from './external_key_requests.ts';
import { memoryHolder, memoryKey, type OrderSignatures } from './holders.ts';

const curve = 'CURVE_SECP256K1' as const;
const publicKey = hex(memoryKey(curve).publicKey);

/** Starts a service with an external key. Returns the orders that its holder receives from then on. */
async function withKey(t: TestContext) {
  const service = await startTestService();
  t.after(() => service.close());
  service.outside.holder = memoryHolder({ clock: service.now });
  const id = await registered(service, { curve, publicKey });
  const orders: string[] = [];
  const holder: OrderSignatures = service.outside.holder;
  service.outside.holder = (order) => {
    orders.push(order.order);
    return holder(order);
  };
  return { service, id, orders, holder };
}

test('an order names the activity, the organization and the key', async (t) => {
  const { service, id, orders } = await withKey(t);
  const { body } = await signPayload(service, id);
  const [order = ''] = orders;
  const { nonce, ...members } = JSON.parse(order);
  assert.match(nonce, /^[0-9a-f]{32}$/);
  assert.deepEqual(members, {
    type: 'keywright.signing_order.v1',
    organizationId: service.root.organizationId,
    curve,
    publicKey,
    signedBytes: ['5a'.repeat(32)],
    fingerprint: body.activity.fingerprint,
    expiresAtMs: service.now() + 60_000,
  });
  assert.equal(orders.length, 1);
});

test('a refused request and a dry run reach no holder', async (t) => {
  const { service, id, orders } = await withKey(t);
  const user = await addPlainUser(service);
  const refused = await signPayload(service, id, {}, { key: user.key });
  assert.equal(refused.status, 403, JSON.stringify(refused.body));
  const dry = await signPayload(service, id, {}, { dryRun: true });
  assert.equal(dry.status, 200, JSON.stringify(dry.body));
  assert.deepEqual(orders, []);
  await makePolicy(service, 'Signs', {
    consensus: 'true',
    condition: `private_key.id == '${id}'`,
  });
  const allowed = await signPayload(service, id, {}, { key: user.key });
  assert.equal(allowed.status, 200, JSON.stringify(allowed.body));
  assert.equal(orders.length, 1);
});

test('a frozen key reaches no holder', async (t) => {
  const { service, id, orders } = await withKey(t);
  await makeFreeze(service, 'PRIVATE_KEY', id);
  assertFrozen(await signPayload(service, id), /private key/);
  assert.deepEqual(orders, []);
});

test('a signature that arrives after a freeze is not released', async (t) => {
  const { service, id, holder } = await withKey(t);
  service.outside.holder = async (order) => {
    const answer = await holder(order);
    await makeFreeze(service, 'PRIVATE_KEY', id);
    return answer;
  };
  assertFrozen(await signPayload(service, id), /private key/);
});

test('a signature that arrives after its key was deleted is not released', async (t) => {
  const { service, id, holder } = await withKey(t);
  service.outside.holder = async (order) => {
    const answer = await holder(order);
    await deleteKey(service, id);
    return answer;
  };
  assert.equal((await signPayload(service, id)).status, 404);
});

test('a limit counts each released signature once', async (t) => {
  const { service, id, holder } = await withKey(t);
  await makeControl(service);
  const user = await addPlainUser(service);
  await makePolicy(service, 'Signs', {
    consensus: 'true',
    condition: 'controls.hourly',
  });
  // All requests are decided before the first one is signed.
  const begun = Promise.withResolvers<void>();
  let waiting = 0;
  service.outside.holder = async (order) => {
    waiting += 1;
    if (waiting === 5) begun.resolve();
    await begun.promise;
    return holder(order);
  };
  const all = await Promise.all(
    Array.from({ length: 5 }, (_, i) =>
      signPayload(service, id, { payload: `${'5a'.repeat(31)}0${i}` }, { key: user.key }),
    ),
  );
  assert.equal(all.filter(({ status }) => status === 200).length, 3);
  assert.equal(all.filter(({ status }) => status === 403).length, 2);
  // Each request was ordered once, although some were decided several times.
  assert.equal(waiting, 5);
});

test('a holder that fails leaves nothing counted, and the request can be sent again', async (t) => {
  const { service, id, holder } = await withKey(t);
  await makeControl(service);
  const user = await addPlainUser(service);
  await makePolicy(service, 'Signs', { consensus: 'true', condition: 'controls.hourly' });
  service.outside.holder = async () => ({ heldBy: 'command', signatures: [new Uint8Array(64)] });
  for (let i = 0; i < 5; i += 1) {
    assert.equal((await signPayload(service, id, {}, { key: user.key })).status, 503);
  }
  service.outside.holder = holder;
  for (const status of [200, 200, 200, 403]) {
    assert.equal((await signPayload(service, id, {}, { key: user.key })).status, status);
  }
});

test('a vote that suffices asks the holder; one that fails can be repeated', async (t) => {
  const { service, id, orders, holder } = await withKey(t);
  const user = await addPlainUser(service);
  await makePolicy(service, 'Signs', {
    consensus: 'approvers.count() >= 2',
    condition: `private_key.id == '${id}'`,
  });
  const asked = await signPayload(service, id, {}, { key: user.key });
  assert.equal(asked.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(orders, []);
  const { fingerprint } = asked.body.activity;
  const approve = () =>
    service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint });
  service.outside.holder = async () => ({ heldBy: 'command', signatures: [] });
  assert.equal((await approve()).status, 503);
  service.outside.holder = holder;
  const approved = await approve();
  assert.equal(approved.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.match(signatureIn(approved).r, /^[0-9a-f]{64}$/);
});

test('keys of the service reach no holder', async (t) => {
  const { service, orders } = await withKey(t);
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  assert.equal((await signPayload(service, addresses[0] ?? '')).status, 200);
  assert.deepEqual(orders, []);
});

test('externalSignerPubkey names the key that signs, or the request is refused', async (t) => {
  const { service, id, orders } = await withKey(t);
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const uncompressed = hex(secp256k1.uncompressed(memoryKey(curve).publicKey));
  for (const externalSignerPubkey of [publicKey, uncompressed, `0x${publicKey.toUpperCase()}`]) {
    assert.equal((await signPayload(service, id, { externalSignerPubkey })).status, 200);
  }
  assert.equal(orders.length, 3);
  const another = hex(memoryKey(curve, 'another').publicKey);
  for (const externalSignerPubkey of [another, '00', 'key']) {
    const { status, body } = await signPayload(service, id, { externalSignerPubkey });
    assert.equal(status, 400);
    assert.match(body.message, /parameters\.externalSignerPubkey/);
  }
  const own = await signPayload(service, addresses[0] ?? '', { externalSignerPubkey: publicKey });
  assert.match(own.body.message, /held by this service/);
});

test('a key is registered once, for ECDSA or Ed25519, in its organization', async (t) => {
  const { service } = await withKey(t);
  const again = await register(service, { curve, publicKey, addressFormats: [] });
  assert.equal(again.status, 409, JSON.stringify(again.body));
  const other = hex(memoryKey(curve, 'another').publicKey);
  const taproot = ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'];
  const schnorr = await register(service, { curve, publicKey: other, addressFormats: taproot });
  assert.equal(schnorr.status, 400);
  assert.match(schnorr.body.message, /no Schnorr signatures/);
  for (const broken of ['00', `04${'00'.repeat(64)}`, 'zz']) {
    const { status, body } = await register(service, { curve, publicKey: broken });
    assert.equal(status, 400);
    assert.match(body.message, /privateKeys\.0\.externalSignerPubkey/);
  }
});

test('export is refused, and deletion removes the record alone', async (t) => {
  const { service, id } = await withKey(t);
  const exported = await service.submit('export_private_key', 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
    privateKeyId: id,
    targetPublicKey: service.root.key.publicKey,
  });
  assert.equal(exported.status, 400, JSON.stringify(exported.body));
  assert.match(exported.body.message, /held by command, outside of this service: .* to export$/);
  await deleteKey(service, id);
  assert.equal((await signPayload(service, id)).status, 404);
  // The holder still has the key, so it can be registered again.
  const againId = await registered(service, { curve, publicKey });
  assert.equal((await signPayload(service, againId)).status, 200);
});

test('a batch of more than 32 is refused', async (t) => {
  const { service, id, orders } = await withKey(t);
  const signed = await service.submit('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
    signWith: id,
    payloads: Array.from({ length: 33 }, () => '5a'.repeat(32)),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
  assert.equal(signed.status, 400);
  assert.match(signed.body.message, /at most 32 messages/);
  assert.deepEqual(orders, []);
});

test('the line of the audit trail names the holder', async () => {
  const activity = {
    id: 'a',
    organizationId: 'o',
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    status: 'ACTIVITY_STATUS_COMPLETED',
    votes: [],
    evaluations: [],
    fingerprint: 'sha256:0',
    submitterId: 'u',
    createdAtMs: 0,
    updatedAtMs: 0,
    intent: {},
    result: {},
    version: 1,
  } as const;
  assert.equal(auditLine(1, { ...activity, heldBy: 'pkcs11' }, [])['signedBy'], 'pkcs11');
  assert.ok(!('signedBy' in auditLine(1, activity, [])));
});

async function deleteKey(service: TestService, id: string): Promise<void> {
  const type = 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS';
  const deleted = await service.submit('delete_private_keys', type, { privateKeyIds: [id] });
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
}

test('a key of one organization is none of its children', async (t) => {
  const { service, id } = await withKey(t);
  const child = await addChild(service);
  const { status } = await signPayload(service, id, {}, child);
  assert.equal(status, 404);
});
