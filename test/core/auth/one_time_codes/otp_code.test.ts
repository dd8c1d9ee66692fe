import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  codeLengths,
  codeRandomBytes,
  codeSaltBytes,
  digestCode,
  isCode,
  makeCode,
  maximumTypedCharacters,
  normalizeCode,
} from '../../../../src/core/auth/one_time_codes/otp_code.ts';
import { hex } from '../../../../src/core/base/bytes.ts';

const alphabets = { true: '0123456789ABCDEFGHJKMNPQRSTVWXYZ', false: '0123456789' } as const;
const forms = [true, false].flatMap((alphanumeric) =>
  [6, 7, 8, 9].map((length) => ({ length, alphanumeric })),
);
const randomBytes = fc.uint8Array({ minLength: codeRandomBytes, maxLength: codeRandomBytes });
const salt = new Uint8Array(codeSaltBytes).fill(3);

// Bytes are independent, each character uses one byte, and each character has the same number of byte
// values. So all codes of a form are equally likely.
test('every byte value gives one character or none, each character equally often', () => {
  for (const form of forms) {
    const firsts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const random = new Uint8Array(codeRandomBytes);
      random[0] = byte;
      // If the first byte is skipped, the next byte decides, so the two results differ.
      const withZeros = makeCode(random, form)[0];
      const withOnes = makeCode(random.fill(1, 1), form)[0];
      if (withZeros !== withOnes) continue;
      firsts.set(withZeros ?? '', (firsts.get(withZeros ?? '') ?? 0) + 1);
    }
    const alphabet = alphabets[`${form.alphanumeric}`];
    assert.equal([...firsts.keys()].toSorted().join(''), alphabet);
    assert.deepEqual(new Set(firsts.values()), new Set([form.alphanumeric ? 8 : 25]));
  }
});

test('each character uses its own byte, and unusable bytes are skipped', () => {
  const random = new Uint8Array(codeRandomBytes).map((_, i) => i);
  assert.equal(makeCode(random, { length: 9, alphanumeric: true }), '012345678');
  random.set([250, 255, 249, 9, 251, 10, 11, 12, 253, 13, 14]);
  assert.equal(makeCode(random, { length: 6, alphanumeric: false }), '990123');
  assert.throws(() =>
    makeCode(new Uint8Array(codeRandomBytes).fill(255), { length: 6, alphanumeric: false }),
  );
});

test('codes have the requested length and only characters of their alphabet', () => {
  fc.assert(
    fc.property(fc.constantFrom(...forms), randomBytes, (form, random) => {
      const code = makeCode(random, form);
      assert.equal(code.length, form.length);
      const alphabet = alphabets[`${form.alphanumeric}`];
      assert.ok([...code].every((character) => alphabet.includes(character)));
      assert.equal(normalizeCode(code, form.alphanumeric), code);
    }),
  );
});

test('an invalid length and too few random bytes are internal errors', () => {
  const random = new Uint8Array(codeRandomBytes);
  for (const length of [5, 10, 6.5, Number.NaN]) {
    assert.throws(() => makeCode(random, { length, alphanumeric: true }), /assertion failed/);
  }
  const short = random.subarray(1);
  assert.throws(() => makeCode(short, { length: 6, alphanumeric: true }), /assertion failed/);
  assert.deepEqual([codeLengths.minimum, codeLengths.maximum, codeLengths.fallback], [6, 9, 9]);
});

test('a typed code is read as Crockford describes', () => {
  assert.equal(normalizeCode(' o0-iL1 abc-z ', true), '00111ABCZ');
  // U is not in the alphabet, and has no substitute.
  assert.equal(normalizeCode('u', true), 'U');
  assert.equal(normalizeCode(' 123-456 ', false), '123456');
  // Codes of digits do not translate letters.
  assert.equal(normalizeCode('O1l', false), 'O1l');
  // Letters whose upper case is a letter of a code: dotless i, long s, the Kelvin sign.
  assert.equal(normalizeCode('ıſK', true), 'ıſK');
  assert.equal(normalizeCode('0'.repeat(maximumTypedCharacters + 1), true), '');
});

test('the normal form of a normal form is the same', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...'oOiIlLuU09az -\t\u00a0'), maxLength: 80 }),
  );
  fc.assert(
    fc.property(typed, fc.boolean(), (text, alphanumeric) => {
      const once = normalizeCode(text, alphanumeric);
      assert.equal(normalizeCode(once, alphanumeric), once);
    }),
  );
});

test('a code matches however it is typed, and no other code matches', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-'), { minLength: 9, maxLength: 9 });
  fc.assert(
    fc.property(randomBytes, randomBytes, separators, fc.boolean(), (a, b, between, lower) => {
      const form = { length: 9, alphanumeric: true };
      const code = makeCode(a, form);
      const other = makeCode(b, form);
      const kept = digestCode(code, salt);
      const spread = [...code].map((character, i) => character + between[i]).join('');
      const confused = spread.replaceAll('0', 'o').replaceAll('1', 'l');
      const typed = lower ? confused.toLowerCase() : confused;
      assert.ok(isCode(normalizeCode(typed, true), kept));
      assert.equal(isCode(other, kept), other === code);
      assert.equal(isCode(code.slice(1), kept), false);
      assert.equal(isCode('', kept), false);
    }),
  );
});

// openssl mac -digest SHA256 -macopt hexkey:03… HMAC
test('the digest is HMAC-SHA-256 under the salt', () => {
  const { digest } = digestCode('000000', salt);
  assert.equal(hex(digest), '2d8bee72132b0e8a91e3b1933eaeb99505ff0ca5389aa45e27ef4b8600ea365c');
  assert.notDeepEqual(digestCode('000000', new Uint8Array(codeSaltBytes)).digest, digest);
  assert.throws(() => digestCode('000000', new Uint8Array(15)), /assertion failed/);
});
