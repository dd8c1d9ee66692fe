import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { hashFunctions, payloadEncodings } from '../../../src/core/base/enums.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { signingSchemes } from '../../../src/core/payload/combinations.ts';
import {
  digestInSteps,
  digestPayload,
  maxPayloadLength,
  type RawPayload,
} from '../../../src/core/payload/index.ts';
import { doneOrRefused, refuses } from './refusals.ts';

const asMessage = (payload: string): RawPayload => ({
  scheme: 'eddsa',
  payload,
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
});
const asDigest = (payload: string): RawPayload => ({
  scheme: 'ecdsa_secp256k1',
  payload,
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
});

test('hexadecimal: any bytes in any case, with or without 0x', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), fc.boolean(), (bytes, prefixed, upper) => {
      const digits = upper ? hex(bytes).toUpperCase() : hex(bytes);
      const { signedBytes } = digestPayload(asMessage((prefixed ? '0x' : '') + digits));
      assert.deepEqual(signedBytes, bytes);
    }),
  );
});

test('hexadecimal: anything else is refused', () => {
  const others = ['0', '0x0', '0X00', '00 ', ' 00', '0x0x00', '-0x00', '0g', '٠٠', '00\n'];
  for (const payload of others) {
    refuses(
      () => digestPayload(asMessage(payload)),
      'parameters.payload',
      /^invalid payload encoding: expected (an even number of )?hexadecimal digits/,
      JSON.stringify(payload),
    );
  }
});

test('text: the UTF-8 bytes as sent, 0x and spaces included; half a surrogate pair is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const raw: RawPayload = { ...asMessage(text), encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' };
      assert.deepEqual(digestPayload(raw).signedBytes, utf8(text));
    }),
  );
  for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
    const raw: RawPayload = { ...asMessage(text), encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' };
    refuses(() => digestPayload(raw), 'parameters.payload', /half a surrogate pair/);
  }
});

test('hash functions: SHA-256 and Keccak-256 of the decoded bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const signed = (hashFunction: RawPayload['hashFunction']) =>
        digestPayload({ ...asDigest(hex(bytes)), hashFunction }).signedBytes;
      assert.deepEqual(signed('HASH_FUNCTION_SHA256'), sha256(bytes));
      assert.deepEqual(signed('HASH_FUNCTION_KECCAK256'), keccak_256(bytes));
    }),
  );
});

test('long payloads are hashed in steps, to the same digest', () => {
  for (const length of [64 * 1024, 64 * 1024 + 1, 512 * 1024, 1024 * 1024 + 3]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i % 251);
    const stepsOf = (hashFunction: RawPayload['hashFunction'], expected: Uint8Array) => {
      const steps = digestInSteps({ ...asDigest(hex(bytes)), hashFunction });
      for (let count = 0; ; count += 1) {
        const { done, value } = steps.next();
        if (done !== true) continue;
        assert.deepEqual(value.signedBytes, expected);
        return count;
      }
    };
    const steps = length > 64 * 1024 ? 1 + Math.ceil(length / (512 * 1024)) : 1;
    assert.equal(stepsOf('HASH_FUNCTION_SHA256', sha256(bytes)), steps);
    assert.equal(stepsOf('HASH_FUNCTION_KECCAK256', keccak_256(bytes)), steps);
  }
});

test('without a hash function, ECDSA and Schnorr take exactly 32 bytes', () => {
  for (const scheme of ['ecdsa_secp256k1', 'ecdsa_p256', 'schnorr'] as const) {
    for (const size of [0, 1, 20, 31, 33, 64]) {
      refuses(
        () => digestPayload({ ...asDigest('ab'.repeat(size)), scheme }),
        'parameters.payload',
        new RegExp(`^expected a 32-bytes-long digest, got ${size} bytes`),
      );
    }
    const digest = 'ab'.repeat(32);
    assert.equal(hex(digestPayload({ ...asDigest(digest), scheme }).signedBytes), digest);
  }
});

test('a refusal names the index of the payload in a list', () => {
  const payloadField = 'parameters.payloads.3';
  refuses(
    () => digestPayload({ ...asDigest('00'), payloadField }),
    payloadField,
    /expected a 32-bytes-long digest/,
  );
  refuses(
    () =>
      digestPayload({
        ...asDigest('{"types":{}}'),
        encoding: 'PAYLOAD_ENCODING_EIP712',
        payloadField,
      }),
    `${payloadField}.domain`,
    /missing/,
  );
});

test('a payload of the maximum length is signed, one character more is refused', () => {
  const longest = '00'.repeat(maxPayloadLength / 2);
  assert.equal(digestPayload(asMessage(longest)).signedBytes.length, maxPayloadLength / 2);
  refuses(
    () => digestPayload(asMessage(`${longest}0`)),
    'parameters.payload',
    /expected at most 4194304 characters, got 4194305/,
  );
});

test('any text is signed or refused, without another error', () => {
  const payload = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.string());
  fc.assert(
    fc.property(
      fc.constantFrom(...signingSchemes),
      fc.constantFrom(...payloadEncodings),
      fc.constantFrom(...hashFunctions),
      payload,
      (scheme, encoding, hashFunction, text) => {
        doneOrRefused(() => digestPayload({ scheme, encoding, hashFunction, payload: text }));
      },
    ),
    { numRuns: 1000 },
  );
});
