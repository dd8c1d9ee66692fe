// Holders that answer with anything but a signature of their key. The service releases no such answer,
// records no signature, and counts nothing.

import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { concatBytes } from '../../src/core/base/bytes.ts';
import type { CurveName } from '../../src/core/base/enums.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { negateScalar, orders } from '../../src/core/crypto/scalars.ts';
import { derOfEcdsaSignature } from '../../src/core/crypto/signature_der.ts';
import type { HolderAnswer } from '../../src/core/external/external_services.ts';
import { createKeyHolderClient } from '../../src/gateway/key_holder/ask_key_holder.ts';
import { temporaryDirectory } from '../e2e/service.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { register, registered, signatureIn, signPayload } from './external_key_requests.ts';
import { memoryHolder, memoryKey } from './holders.ts';

const ecdsaCurves = ['CURVE_SECP256K1', 'CURVE_P256'] as const;
const orderOf = { CURVE_SECP256K1: orders.secp256k1, CURVE_P256: orders.p256 } as const;
const digest = Uint8Array.fromHex('5a'.repeat(32));

type Halves = { readonly r: Uint8Array; readonly s: Uint8Array };

const numbersOf = (signature: Uint8Array): Halves => ({
  r: signature.slice(0, 32),
  s: signature.slice(32),
});
const joined = ({ r, s }: Halves): Uint8Array => concatBytes(r, s);

/** Changes the answers of the holder in memory. */
function answering(service: TestService, change: (answer: HolderAnswer) => HolderAnswer): void {
  const honest = memoryHolder();
  service.outside.holder = async (order) => change(await honest(order));
}

const changed =
  (change: (signature: Uint8Array) => Uint8Array) =>
  (answer: HolderAnswer): HolderAnswer => ({
    ...answer,
    signatures: answer.signatures.map(change),
  });

async function withKey(t: TestContext, curve: CurveName) {
  const service = await startTestService();
  t.after(() => service.close());
  service.outside.holder = memoryHolder();
  const publicKey = Buffer.from(memoryKey(curve).publicKey).toString('hex');
  return { service, id: await registered(service, { curve, publicKey }) };
}

const wrongAnswers: Readonly<Record<string, (answer: HolderAnswer) => HolderAnswer>> = {
  'random bytes': changed(() => new Uint8Array(64).fill(0x42)),
  zeros: changed(() => new Uint8Array(64)),
  'the number of the order as r': changed((signature) =>
    concatBytes(orders.secp256k1, signature.slice(32)),
  ),
  nothing: changed(() => new Uint8Array(0)),
  'a megabyte': changed(() => new Uint8Array(1024 * 1024)),
  'a signature with one bit changed': changed((signature) => {
    const copy = Uint8Array.from(signature);
    copy[63] = Number(copy[63]) ^ 1;
    return copy;
  }),
  'no signature': (answer) => ({ ...answer, signatures: [] }),
  'two signatures': ({ signatures, ...answer }) => ({
    ...answer,
    signatures: [...signatures, ...signatures],
  }),
  'an unknown kind of holder': (answer) => ({ ...answer, heldBy: 'oracle' }),
};

for (const curve of ['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'] as const) {
  test(`${curve}: wrong answers are refused, and nothing is recorded`, async (t) => {
    const { service, id } = await withKey(t, curve);
    const { privateKey } = memoryKey(curve, 'another');
    const ofAnotherKey = changed(() => joined(curves[curve].sign(privateKey, digest)));
    const ofAnotherDigest = changed(() => {
      const other = Uint8Array.from(digest).fill(1);
      return joined(curves[curve].sign(memoryKey(curve).privateKey, other));
    });
    const answers = { ...wrongAnswers, ofAnotherKey, ofAnotherDigest };
    const before = await service.query('list_activities');
    for (const [name, change] of Object.entries(answers)) {
      answering(service, change);
      const { status, body } = await signPayload(service, id, { curve });
      assert.equal(status, 503, name);
      assert.match(body.message, /^the holder of the external key gave no valid signature/);
      assert.ok(!('activity' in body), name);
    }
    const after = await service.query('list_activities');
    assert.deepEqual(after.body.activities, before.body.activities);
    // The same service signs again once the holder is honest.
    answering(service, (answer) => answer);
    assert.equal((await signPayload(service, id, { curve })).status, 200);
  });
}

for (const curve of ecdsaCurves) {
  test(`${curve}: a high s and DER give the same signature as low s`, async (t) => {
    const { service, id } = await withKey(t, curve);
    const plain = signatureIn(await signPayload(service, id, { curve }));
    const high = (signature: Uint8Array): Halves => {
      const { r, s } = numbersOf(signature);
      return { r, s: negateScalar(s, orderOf[curve]) };
    };
    const forms = [
      (signature: Uint8Array) => joined(high(signature)),
      (signature: Uint8Array) => derOfEcdsaSignature(numbersOf(signature)),
      (signature: Uint8Array) => derOfEcdsaSignature(high(signature)),
    ];
    for (const form of forms) {
      answering(service, changed(form));
      assert.deepEqual(signatureIn(await signPayload(service, id, { curve })), plain);
    }
  });
}

test('a holder that proves another key registers nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const curve = 'CURVE_SECP256K1';
  const publicKey = Buffer.from(memoryKey(curve).publicKey).toString('hex');
  service.outside.holder = memoryHolder({ name: 'another' });
  const { status, body } = await register(service, { curve, publicKey });
  assert.equal(status, 503);
  assert.match(body.message, /its answer is not a signature of the key/);
  // The holder repeats an earlier signature of the key, which proves nothing: each challenge is new.
  const honest = memoryHolder();
  let first: HolderAnswer | undefined;
  service.outside.holder = async (order) => {
    first ??= await honest(order);
    return first;
  };
  const id = await registered(service, { curve, publicKey });
  const deleted = await service.submit('delete_private_keys', 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
    privateKeyIds: [id],
  });
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
  assert.equal((await register(service, { curve, publicKey })).status, 503);
});

/** Starts a server at a socket that handles each connection with `treat`. */
async function strangeServer(t: TestContext, treat: (socket: Socket) => void): Promise<string> {
  const path = join(temporaryDirectory(), 'holder.sock');
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return path;
}

const strange: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => undefined,
  'ends at once': (socket) => socket.destroy(),
  'answers nothing': (socket) => socket.end(),
  'answers without an end': (socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write('['.repeat(64 * 1024), more);
    };
    more();
  },
  'answers no JSON': (socket) => socket.end('signed'),
  'answers a list of numbers': (socket) => socket.end('{"heldBy":"pkcs11","signatures":[1]}'),
  'refuses with control characters': (socket) => socket.end('{"refusal":"no\\u001b[2J"}'),
};

for (const [name, treat] of Object.entries(strange)) {
  test(`a holder that ${name} fails the request`, async (t) => {
    const { service, id } = await withKey(t, 'CURVE_SECP256K1');
    const path = await strangeServer(t, treat);
    service.outside.holder = createKeyHolderClient(path, () => undefined, 200);
    const { status, body } = await signPayload(service, id);
    assert.equal(status, 503);
    assert.match(body.message, /^the holder of the external key gave no valid signature: [ -~]+$/);
  });
}

test('without a socket, and with too many orders, the request fails', async (t) => {
  const { service, id } = await withKey(t, 'CURVE_SECP256K1');
  service.outside.holder = createKeyHolderClient(undefined, () => undefined);
  const unset = await signPayload(service, id);
  assert.match(unset.body.message, /KEYWRIGHT_KEY_HOLDER_SOCKET is not set/);
  const path = await strangeServer(t, () => undefined);
  const ask = createKeyHolderClient(path, () => undefined, 500);
  const order = { order: '{}', signature: new Uint8Array(64) };
  const all = await Promise.allSettled(Array.from({ length: 65 }, () => ask(order)));
  const reasons = all.map((each) => (each.status === 'rejected' ? each.reason.message : ''));
  assert.equal(reasons.filter((reason) => /too many orders/.test(reason)).length, 1);
});
