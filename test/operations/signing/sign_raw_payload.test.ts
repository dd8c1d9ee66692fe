import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { bytes } from '../../standards/vector_files.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { described, makePrivateKeys } from '../private_keys/private_key_requests.ts';
import {
  accountsOf,
  ethereumAccount,
  makeWallet,
  solanaAccount,
  unknownId,
} from '../wallets/wallet_requests.ts';
import { signRawPayload, storeKeys } from './signing_keys.ts';

// OP-SIGN-01, OP-SIGN-02, OP-SIGN-08, OP-SIGN-09
const wire = {
  operation: 'sign_raw_payload',
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  intent: 'signRawPayloadIntentV2',
  result: 'signRawPayloadResult',
};
const hello = {
  payload: 'hello',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_KECCAK256',
};

test('sign_raw_payload: signs with a wallet account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount(), solanaAccount()]);
  const [address] = addresses;
  // OP-SIGN-03, OP-SIGN-05, OP-SIGN-06, OP-SIGN-07
  const parameters = { signWith: address, ...hello };
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.signWith', parameters: { ...parameters, signWith: '' } },
      {
        field: 'parameters.encoding',
        parameters: { ...parameters, encoding: 'PAYLOAD_ENCODING_BASE64' },
      },
      {
        field: 'parameters.hashFunction',
        parameters: { ...parameters, hashFunction: 'HASH_FUNCTION_MD5' },
      },
      {
        field: 'parameters.hashFunction',
        parameters: { ...parameters, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' },
      },
      {
        field: 'parameters.payload',
        parameters: { ...parameters, hashFunction: 'HASH_FUNCTION_NO_OP' },
      },
      {
        field: 'parameters.payload',
        parameters: { ...parameters, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' },
      },
      // Ed25519 has its own hash.
      { field: 'parameters.hashFunction', parameters: { ...parameters, signWith: addresses[1] } },
    ],
  });
  assert.deepEqual(Object.keys(result), ['r', 's', 'v']); // OP-SIGN-10, OP-SIGN-11, OP-SIGN-12
  const [account, solana] = await accountsOf(service, walletId);
  const digest = keccak_256(utf8('hello'));
  const signature = bytes(`${result.v}${result.r}${result.s}`);
  const recovered = secp256k1.recoverPublicKey(signature, digest, { prehash: false });
  assert.deepEqual(Uint8Array.from(recovered), bytes(account.publicKey));

  const lower = { ...parameters, signWith: address?.toLowerCase() };
  const { body } = await service.submit(wire.operation, wire.type, lower);
  assert.deepEqual(body.activity.result[wire.result], result);

  const eddsa = await service.submit(wire.operation, wire.type, {
    ...parameters,
    signWith: addresses[1],
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  });
  const { r, s, v } = eddsa.body.activity.result[wire.result];
  assert.equal(v, '00');
  assert.ok(ed25519.verify(bytes(r + s), utf8('hello'), bytes(solana.publicKey)));
});

// OP-SIGN-04
test('sign_raw_payload: signs every published vector, by the address of a private key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await storeKeys(service, signRawPayload);
  for (const vector of signRawPayload) {
    const { address: signWith, payload, encoding, hashFunction } = vector;
    const parameters = { signWith, payload, encoding, hashFunction };
    const answer = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(answer.status, 200, `${vector.id} ${JSON.stringify(answer.body)}`);
    const { r, s, v } = answer.body.activity.result[wire.result];
    if (vector.compare === 'exact') {
      assert.deepEqual({ r, s, v }, { r: vector.r, s: vector.s, v: vector.v }, vector.id);
    } else {
      const signed = bytes(vector.signedBytes);
      assert.ok(schnorr.verify(bytes(r + s), signed, bytes(vector.verifyKey ?? '')), vector.id);
    }
  }
});

test('sign_raw_payload: signs by the id of a private key, also in the first version', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [made] = await makePrivateKeys(service);
  const { privateKeyId, addresses } = made ?? {};
  const byAddress = await checkActivity(service, {
    ...wire,
    parameters: { signWith: addresses?.[0]?.address, ...hello },
  });
  const byId = { signWith: privateKeyId?.toUpperCase(), ...hello };
  const { body } = await service.submit(wire.operation, wire.type, byId);
  assert.deepEqual(body.activity.result[wire.result], byAddress);
  const first = await checkActivity(service, {
    operation: wire.operation,
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD',
    intent: 'signRawPayloadIntent',
    result: 'signRawPayloadResult',
    parameters: { privateKeyId, ...hello },
    malformed: [
      { field: 'parameters.privateKeyId', parameters: { privateKeyId: 'x', ...hello } },
      {
        field: 'parameters.signWith',
        parameters: { signWith: privateKeyId, privateKeyId, ...hello },
      },
    ],
  });
  assert.deepEqual(first, byAddress);
});

test('sign_raw_payload: signs only with keys of the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()], child);
  const [key] = await makePrivateKeys(service, [described()], child);
  // The id of a wallet and an address of another organization are common mistakes.
  const text =
    /^Could not find any resource to sign with\. Addresses are case sensitive\. .* in organization [0-9a-f-]{36}: expected the address of a wallet account or private key there, or the id of a private key$/;
  for (const signWith of [
    addresses[0],
    key?.privateKeyId,
    key?.addresses[0]?.address,
    walletId,
    unknownId,
    'nothing',
  ]) {
    const parameters = { signWith, ...hello };
    await checkRefused(service, { ...wire, parameters }, { status: 404, code: 5, text });
  }
});

test('sign_raw_payload: dry runs and waiting activities explain a personal message', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const plain = await addPlainUser(service);
  await makePolicy(service, 'Two of us', {
    condition: "activity.kind == 'SIGN_RAW_PAYLOAD'",
    consensus: 'approvers.count() >= 2',
  });
  const payload = Buffer.from('\u0019Ethereum Signed Message:\n5hello').toString('hex');
  const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL';
  const parameters = { ...hello, signWith: addresses[0], payload, encoding };
  const { body } = await service.submit(wire.operation, wire.type, parameters, plain);
  const { explanation } = body.activity;
  assert.equal(explanation.summary, `${addresses[0]} signs a message of 5 characters (EIP-191).`);
  assert.deepEqual(explanation.effects, [{ kind: 'MESSAGE', text: 'The message: "hello"' }]);
  const dry = await service.submit(wire.operation, wire.type, parameters, {
    ...plain,
    dryRun: true,
  });
  assert.deepEqual(dry.body.dryRun.explanation, explanation);
});
