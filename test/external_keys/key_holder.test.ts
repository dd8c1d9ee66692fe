// The key holder against a hostile gateway, and with failing commands of its own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { p256 } from '../../src/core/crypto/p256.ts';
import { signingOrder } from '../../src/core/keys/external_keys.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../src/enclave/keys/service_keys.ts';
import { createKeyHolderClient } from '../../src/gateway/key_holder/ask_key_holder.ts';
import { readHolderKeys } from '../../src/gateway/key_holder/keys_file.ts';
import { createOrders } from '../../src/gateway/key_holder/orders.ts';
import { serveKeyHolder } from '../../src/gateway/key_holder/serve_key_holder.ts';
import { temporaryDirectory } from '../e2e/service.ts';
import { startMs, testKey, testRootKey } from '../support/harness.ts';
import { memoryKey, testAuthority } from './holders.ts';

const organizationId = '01900000-0000-7000-8000-000000000001';
const publicKey = hex(memoryKey('CURVE_SECP256K1').publicKey);

const contents = {
  organizationId,
  curve: 'CURVE_SECP256K1' as const,
  publicKey,
  signedBytes: [new Uint8Array(32).fill(0x5a)],
  fingerprint: `sha256:${'0'.repeat(64)}`,
  expiresAtMs: startMs + 60_000,
  nonce: new Uint8Array(16).fill(1),
};

const serviceKeysOf = (rootKey: Uint8Array) =>
  createServiceKeys(createRootKeys(rootKey), () => assert.fail('nothing random is needed'));
const serviceKeys = serviceKeysOf(testRootKey());

const order = (changes: object = {}, by = serviceKeys) =>
  signingOrder({ ...contents, ...changes }, by);

const commandKey = (command: readonly string[], encoding = 'hex') => ({
  organizationId,
  curve: 'CURVE_SECP256K1',
  publicKey,
  holder: 'command',
  command,
  encoding,
});

/** Serves one key whose signatures a command creates. */
async function serveCommand(t: TestContext, command: readonly string[], encoding = 'hex') {
  const authority = hex(testAuthority());
  const socket = join(temporaryDirectory(), 'holder.sock');
  const keys = readHolderKeys(JSON.stringify({ authority, keys: [commandKey(command, encoding)] }));
  const lines: string[] = [];
  const log = (_level: string, message: string, fields?: object) =>
    lines.push(JSON.stringify({ message, ...fields }));
  const parts = { environment: process.env, log, clock: () => startMs, longestMs: 500 };
  const server = await serveKeyHolder(socket, keys, parts);
  t.after(() => server.stop());
  return { ask: createKeyHolderClient(socket, () => undefined), lines };
}

const signed = '/bin/echo 4242'.split(' ');

test('an order is followed once, and only if the enclave signed it', async (t) => {
  const { ask, lines } = await serveCommand(t, signed);
  const first = order();
  const answer = await ask(first);
  assert.equal(answer.heldBy, 'command');
  assert.deepEqual(answer.signatures.map(hex), ['4242']);
  assert.match(lines.at(-1) ?? '', new RegExp(`followed.*${contents.fingerprint}`));

  const forged = order({ nonce: new Uint8Array(16).fill(2) }, serviceKeysOf(new Uint8Array(32)));
  const altered = { ...order(), order: order().order.replace('5a5a', '5b5b') };
  const otherRole = {
    order: first.order,
    signature: serviceKeys.sign('attestation', new Uint8Array(32)),
  };
  const refused: readonly [object, RegExp][] = [
    [first, /followed before/],
    [forged, /not by the service/],
    [altered, /not by the service/],
    [otherRole, /not by the service/],
    [{ order: 'x', signature: new Uint8Array(64) }, /not by the service/],
    [order({ expiresAtMs: startMs }), /has expired/],
    [order({ expiresAtMs: startMs + 200_000 }), /clocks differ/],
    [order({ organizationId: organizationId.replace('1', '2') }), /no such key/],
    [order({ curve: 'CURVE_P256' }), /no such key/],
    [order({ signedBytes: [] }), /another version/],
    [order({ signedBytes: Array(33).fill(new Uint8Array(32)) }), /another version/],
  ];
  for (const [each, reason] of refused) {
    await assert.rejects(ask(each as typeof first), reason);
  }
});

test('orders are forgotten only after they expired', () => {
  let now = startMs;
  const authority = p256.parsePublicKey(testAuthority()) ?? assert.fail();
  const accept = createOrders(authority, () => now);
  const first = order();
  assert.ok(!('refusal' in accept(first)));
  for (const ms of [1, 30_000, 59_999, 60_000, 90_000, 10_000_000]) {
    now = startMs + ms;
    assert.ok('refusal' in accept(first), String(ms));
  }
});

const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];
const failing: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
  'prints no hex': [sh('echo oops'), /printed no hex/],
  'prints nothing and fails': [sh('echo no token >&2; exit 3'), /exit code 3(?!.*no token)/],
  'never ends': [sh('sleep 60'), /took longer than 500 ms/],
  'is not there': [['/nowhere/tool'], /cannot be started/],
};

for (const [name, [command, reason]] of Object.entries(failing)) {
  test(`a command that ${name} fails its order`, async (t) => {
    const { ask } = await serveCommand(t, command);
    await assert.rejects(ask(order()), reason);
  });
}

test('the output of a failing command stays in the log of the key holder', async (t) => {
  const { ask, lines } = await serveCommand(t, sh('echo PIN 1234 is wrong >&2; exit 3'));
  await assert.rejects(ask(order()), (error) => !JSON.stringify(error).includes('1234'));
  assert.match(lines.at(-1) ?? '', /PIN 1234 is wrong/);
});

test('a command gets the message, few variables, and its output has a bound', async (t) => {
  const seen = join(temporaryDirectory(), 'seen');
  const script = `cat > ${seen}; env >> ${seen}; head -c 100000 /dev/zero`;
  const { ask } = await serveCommand(t, sh(script), 'raw');
  await assert.rejects(ask(order()), /printed no raw/);
  const bytes = readFileSync(seen);
  assert.deepEqual([...bytes.subarray(0, 32)], Array(32).fill(0x5a));
  const names = bytes
    .subarray(32)
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0]);
  const known = ['PATH', 'HOME', 'CREDENTIALS_DIRECTORY', 'PWD', 'SHLVL', '_', 'OLDPWD', ''];
  assert.deepEqual(
    names.filter((each) => !known.includes(each ?? '')),
    [],
  );
});

test('a file with a fault is refused with its place', () => {
  const authority = hex(testAuthority());
  const key = commandKey(signed);
  const pkcs11 = { organizationId, curve: 'CURVE_P256', publicKey: testKey('x').publicKey };
  const faults: readonly [string | object, RegExp][] = [
    ['{', /expected a JSON object/],
    [{ keys: [key] }, /`authority`/],
    [{ authority: '04', keys: [key] }, /`authority`/],
    [{ authority, keys: [] }, /1 to 1000 keys/],
    [{ authority, keys: [key, key] }, /keys\[1\] repeats/],
    [{ authority, environment: ['KEYWRIGHT_X'], keys: [key] }, /`environment`/],
    [{ authority, keys: [{ ...key, organizationId: 'x' }] }, /organizationId/],
    [{ authority, keys: [{ ...key, curve: 'CURVE_P521' }] }, /keys\[0\]\.curve/],
    [{ authority, keys: [{ ...key, publicKey: '00' }] }, /keys\[0\]\.publicKey/],
    [{ authority, keys: [{ ...key, holder: '__proto__' }] }, /keys\[0\]\.holder/],
    [{ authority, keys: [{ ...key, command: ['echo'] }] }, /no valid value/],
    [{ authority, keys: [{ ...key, colour: 'blue' }] }, /colour is not a member/],
    [{ authority, keys: [{ ...pkcs11, holder: 'pkcs11', id: '01' }] }, /module is missing/],
    [
      {
        authority,
        keys: [
          {
            organizationId,
            curve: 'CURVE_ED25519',
            publicKey: hex(memoryKey('CURVE_ED25519').publicKey),
            holder: 'aws-kms',
            keyId: 'k',
          },
        ],
      },
      /aws-kms has no keys of CURVE_ED25519/,
    ],
  ];
  for (const [file, reason] of faults) {
    const text = typeof file === 'string' ? file : JSON.stringify(file);
    assert.throws(() => readHolderKeys(text), reason);
  }
});
