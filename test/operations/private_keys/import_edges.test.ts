// Edge cases of imports: numbers near the order of a curve, and concurrent imports to one target.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfHex } from '../../../src/core/base/bytes.ts';
import { stampOf, startTestService, type TestService } from '../../support/harness.ts';
import { activityBody } from '../checks.ts';
import { startAnother } from '../proofs/another_run.ts';
import { sealedSecret } from '../secrets/secret_requests.ts';
import {
  initImport,
  knownSentence,
  sealedBytes,
  sealedSentence,
} from '../wallets/transfer_requests.ts';

const orders = {
  CURVE_SECP256K1: 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
  CURVE_P256: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
};

const digits = (value: bigint): string => value.toString(16).padStart(64, '0');

const described = (service: TestService, encryptedBundle: string, changes: object = {}) => ({
  userId: service.root.userId,
  privateKeyName: 'Key',
  encryptedBundle,
  curve: 'CURVE_SECP256K1',
  addressFormats: ['ADDRESS_FORMAT_COMPRESSED'],
  ...changes,
});

async function importOf(service: TestService, curve: string, key: string, format: string) {
  const plaintext = bytesOfHex(key);
  assert.ok(plaintext !== undefined);
  const bundle = sealedBytes(await initImport(service, 'private_key'), plaintext);
  const changes = { curve, addressFormats: [format] };
  const parameters = described(service, bundle, changes);
  return service.submit('import_private_key', 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', parameters);
}

test('imports accept exactly the numbers from 1 to the order minus 1', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const [curve, text] of Object.entries(orders)) {
    const order = BigInt(`0x${text}`);
    const statusOf = async (key: bigint) =>
      (await importOf(service, curve, digits(key), 'ADDRESS_FORMAT_COMPRESSED')).status;
    for (const key of [0n, order, order + 1n, 2n ** 256n - 1n]) {
      assert.equal(await statusOf(key), 400, `${curve} ${key}`);
    }
    for (const key of [1n, order - 1n]) assert.equal(await statusOf(key), 200, `${curve} ${key}`);
  }
});

test('imports accept all 32-byte seeds of Ed25519', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const key of [0n, BigInt(`0x${orders.CURVE_P256}`), 2n ** 256n - 1n]) {
    const format = 'ADDRESS_FORMAT_SOLANA';
    assert.equal((await importOf(service, 'CURVE_ED25519', digits(key), format)).status, 200);
  }
});

test('a target that two nodes use concurrently, each twice, takes one key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const other = await startAnother(service, 'other node');
  const { userId } = service.root;
  const key = sealedBytes(await initImport(service, 'private_key'), new Uint8Array(32).fill(9));
  const sentence = await sealedSentence(service, knownSentence);
  const secret = await sealedSecret(service, 'told once');
  for (const [what, parametersOf] of [
    [
      'private_key',
      (i: number) => described(service, key, { privateKeyName: `Key ${i}`, addressFormats: [] }),
    ],
    [
      'wallet',
      (i: number) => ({ userId, walletName: `W ${i}`, encryptedBundle: sentence, accounts: [] }),
    ],
    ['secrets', (i: number) => ({ secrets: [{ ...secret, name: `Secret ${i}` }] })],
  ] as const) {
    const type = `ACTIVITY_TYPE_IMPORT_${what.toUpperCase()}`;
    const bodies = [0, 1, 2, 3].map((i) => activityBody(service, type, parametersOf(i)));
    const answers = await Promise.all(
      bodies.map(async (body, i) => {
        const operation = `import_${what}`;
        if (i % 2 === 0) return other.send('submit', operation, body);
        return (await service.send('submit', operation, body, [stampOf(body, service.root.key)]))
          .body;
      }),
    );
    const done = answers.filter(({ activity }) => activity !== undefined);
    assert.equal(done.length, 1, what);
    for (const { activity, code } of answers) assert.ok(activity !== undefined || code === 3, what);
  }
  const { wallets } = (await service.query('list_wallets')).body;
  const { privateKeys } = (await service.query('list_private_keys')).body;
  const { secrets } = (await service.query('list_secrets')).body;
  assert.deepEqual([wallets.length, privateKeys.length, secrets.length], [1, 1, 1]);
});
