import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { initImport, sealedBytes, sealedKey } from '../wallets/transfer_requests.ts';

const wire = {
  operation: 'import_private_key',
  type: 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY',
  intent: 'importPrivateKeyIntent',
  result: 'importPrivateKeyResult',
};
const keyField = 'parameters.encryptedBundle';
const key = '4c'.repeat(32);
const ethereum = { curve: 'CURVE_SECP256K1', addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] };

test('import_private_key: the imported key has its addresses, and signs', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const encryptedBundle = await sealedKey(service, `0x${key}`);
  const addressFormats = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_COMPRESSED'];
  const parameters = {
    userId,
    privateKeyName: 'Imported',
    encryptedBundle,
    ...ethereum,
    addressFormats,
  };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.privateKeyName', parameters: { ...parameters, privateKeyName: '' } },
      { field: keyField, parameters: { ...parameters, encryptedBundle: '{}' } },
      { field: 'parameters.curve', parameters: { ...parameters, curve: 'SECP256K1' } },
      {
        field: 'parameters.addressFormats.1',
        parameters: { ...parameters, addressFormats: ['ADDRESS_FORMAT_ETHEREUM', 'X'] },
      },
      {
        field: 'parameters.addressFormats.1',
        parameters: { ...parameters, addressFormats: [addressFormats[0], addressFormats[0]] },
      },
      {
        field: 'parameters.addressFormats.0',
        parameters: { ...parameters, addressFormats: ['ADDRESS_FORMAT_SOLANA'] },
      },
    ],
  });
  const account = privateKeyToAccount(`0x${key}`);
  assert.deepEqual(result.addresses[0], {
    format: 'ADDRESS_FORMAT_ETHEREUM',
    address: account.address,
  });
  const { privateKeyId } = result;
  const { privateKey } = (await service.query('get_private_key', { privateKeyId })).body;
  const { privateKeyName, imported, exported, privateKeyTags } = privateKey;
  // RES-PRIVATE-KEY-13
  assert.deepEqual([privateKeyName, imported, exported], ['Imported', true, false]);
  assert.deepEqual(privateKeyTags, []);
  const signed = await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: account.address,
    payload: '11'.repeat(32),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
  const { r, s, v } = signed.body.activity.result.signRawPayloadResult;
  const expected = await account.sign({ hash: `0x${'11'.repeat(32)}` });
  assert.equal(`0x${r}${s}${v === '00' ? '1b' : '1c'}`, expected);
});

test('import_private_key: takes keys of every curve in the forms of clients', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const seed = Uint8Array.fromHex(key);
  const publicKey = ed25519.getPublicKey(seed);
  const solana = base58.encode(Uint8Array.of(...seed, ...publicKey));
  const cases = [
    {
      bundle: await sealedKey(service, solana, 'SOLANA'),
      curve: 'CURVE_ED25519',
      addressFormats: ['ADDRESS_FORMAT_SOLANA'],
      address: base58.encode(publicKey),
    },
    {
      bundle: await sealedKey(service, key),
      curve: 'CURVE_P256',
      addressFormats: ['ADDRESS_FORMAT_COMPRESSED'],
      address: undefined,
    },
    { bundle: await sealedKey(service, key), ...ethereum, addressFormats: [], address: undefined },
  ];
  for (const { bundle: encryptedBundle, address, ...described } of cases) {
    const parameters = { userId, privateKeyName: 'Key', encryptedBundle, ...described };
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    const { addresses } = body.activity.result[wire.result];
    assert.equal(addresses.length, described.addressFormats.length);
    if (address !== undefined) assert.equal(addresses[0].address, address);
  }
});

test('import_private_key: takes only valid keys, once, at a free address', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const ask = (encryptedBundle: string, changes: object = {}) => ({
    ...wire,
    parameters: { userId, privateKeyName: 'Key', encryptedBundle, ...ethereum, ...changes },
  });
  const refused = (text: RegExp) => ({ status: 400, code: 3, text, field: keyField });
  const sealed = async (plaintext: Uint8Array) =>
    sealedBytes(await initImport(service, 'private_key'), plaintext);
  for (const plaintext of [
    new Uint8Array(0),
    new Uint8Array(31).fill(1),
    new Uint8Array(33).fill(1),
    new Uint8Array(64).fill(1),
    new Uint8Array(32),
    new Uint8Array(32).fill(255),
  ]) {
    await checkRefused(service, ask(await sealed(plaintext)), refused(/expected the 32 bytes/));
  }
  const asWallet = sealedBytes(await initImport(service, 'wallet'), Uint8Array.fromHex(key));
  await checkRefused(service, ask(asWallet), refused(/was not sealed to/));

  const good = await sealedKey(service, key);
  assert.equal((await service.submit(wire.operation, wire.type, ask(good).parameters)).status, 200);
  await checkRefused(service, ask(good), refused(/was not sealed to/));
  const again = await sealedKey(service, key);
  const taken = { status: 409, code: 6, text: /^private key already exists: address/ };
  await checkRefused(service, ask(again), taken);
  // Without an address the import counts as another key.
  const { status } = await service.submit(
    wire.operation,
    wire.type,
    ask(again, { addressFormats: [] }).parameters,
  );
  assert.equal(status, 200);
});
