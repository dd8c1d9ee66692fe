import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { concatBytes, hex } from '../../../src/core/base/bytes.ts';
import {
  derOfEcdsaSignature,
  ecdsaSignatureOfDer,
} from '../../../src/core/crypto/signature_der.ts';

/** Numbers of 1 to 32 significant bytes, with short ones as frequent as long ones. */
const number = fc
  .tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 31 }))
  .map(([first, rest]) => {
    const bytes = new Uint8Array(32);
    bytes.set([first, ...rest], 31 - rest.length);
    return bytes;
  });

const integer = (content: Uint8Array) => concatBytes(Uint8Array.of(0x02, content.length), content);
const sequence = (content: Uint8Array) => concatBytes(Uint8Array.of(0x30, content.length), content);

test('every signature is read back after it was written', () => {
  fc.assert(
    fc.property(number, number, (r, s) => {
      assert.deepEqual(ecdsaSignatureOfDer(derOfEcdsaSignature({ r, s })), { r, s });
    }),
    { numRuns: 500 },
  );
});

test('superfluous zeros before a number are accepted up to the limit of the content', () => {
  fc.assert(
    fc.property(number, number, fc.nat(30), fc.nat(30), (r, s, rZeros, sZeros) => {
      const padded = (value: Uint8Array, zeros: number) =>
        integer(concatBytes(new Uint8Array(zeros + 1), value));
      const der = sequence(concatBytes(padded(r, rZeros), padded(s, sZeros)));
      const isWithinLimit = rZeros + sZeros + 2 + 64 + 4 <= 127;
      assert.deepEqual(ecdsaSignatureOfDer(der), isWithinLimit ? { r, s } : undefined);
    }),
    { numRuns: 500 },
  );
});

test('a changed byte of the structure is refused, or changes a number', () => {
  fc.assert(
    fc.property(number, number, fc.nat(71), fc.integer({ min: 1, max: 255 }), (r, s, at, by) => {
      const der = derOfEcdsaSignature({ r, s });
      const place = at % der.length;
      der[place] = Number(der[place]) ^ by;
      assert.notDeepEqual(ecdsaSignatureOfDer(der), { r, s });
    }),
    { numRuns: 500 },
  );
});

test('arbitrary and truncated bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), number, number, (bytes, r, s) => {
      ecdsaSignatureOfDer(bytes);
      ecdsaSignatureOfDer(concatBytes(Uint8Array.of(0x30, bytes.length), bytes));
      const der = derOfEcdsaSignature({ r, s });
      for (let length = 0; length < der.length; length += 1) {
        assert.equal(ecdsaSignatureOfDer(der.subarray(0, length)), undefined);
      }
    }),
    { numRuns: 100 },
  );
});

const one = '020101';
const refused = [
  ['nothing', ''],
  ['zero r', `3006020100${one}`],
  ['zero s', `3006${one}020100`],
  ['zero written in no bytes', `30050200${one}`],
  ['negative r', `3006020180${one}`],
  ['negative s', `3006${one}0201ff`],
  ['33 significant bytes', `30260221${'01'.repeat(33)}${one}`],
  ['33 significant bytes after a zero', `302702220${'0'}${'01'.repeat(33)}${one}`],
  ['bytes after the sequence', `3006${one}${one}00`],
  ['bytes after s in the sequence', `3007${one}${one}00`],
  ['a third number', `3009${one}${one}${one}`],
  ['only one number', `3003${one}`],
  ['a length in a longer form than needed', `308106${one}${one}`],
  ['a number whose length is in a longer form', `300702810101${one}`],
  ['an indefinite length', `3080${one}${one}0000`],
  ['a set in place of the sequence', `3106${one}${one}`],
  ['a bit string in place of r', `3006030101${one}`],
  ['an octet string in place of s', `3006${one}040101`],
  ['a sequence longer than the bytes', `3007${one}${one}`],
  ['a number longer than the sequence', `3006${one}020201`],
] as const;

for (const [what, text] of refused) {
  test(`refused: ${what}`, () => {
    assert.equal(ecdsaSignatureOfDer(Uint8Array.fromHex(text)), undefined);
  });
}

test('the encoder writes the shortest form, with a zero before a set top bit', () => {
  const [r, s] = [new Uint8Array(32), new Uint8Array(32)];
  r[31] = 0x80;
  s[31] = 0x7f;
  assert.equal(hex(derOfEcdsaSignature({ r, s })), '30070202008002017f');
  assert.throws(() => derOfEcdsaSignature({ r: new Uint8Array(32), s }), /is not zero/);
  assert.throws(() => derOfEcdsaSignature({ r, s: s.subarray(1) }), /has 32 bytes/);
});
