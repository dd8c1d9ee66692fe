import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attestedStampSchemes,
  maximumAttestedStampCharacters,
  parseAttestedStamp,
} from '../../../src/core/auth/attested_stamp.ts';
import { base64url, hex, utf8 } from '../../../src/core/base/bytes.ts';

const [scheme] = attestedStampSchemes;
const publicKey = `02${'11'.repeat(32)}`;
const whole = { publicKeyAttestation: 'token', scheme, publicKey, signature: '3006' };
const headerOf = (value: unknown) => base64url(utf8(JSON.stringify(value)));

test('an attested stamp is read as it was written', () => {
  const stamp = parseAttestedStamp(headerOf(whole));
  assert.equal(stamp.scheme, scheme);
  assert.equal(stamp.token, 'token');
  assert.equal(hex(stamp.publicKey), publicKey);
  assert.equal(hex(stamp.signature), '3006');
});

test('an attested stamp with one malformed member is refused with the member', () => {
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ publicKeyAttestation: 1 }, /expected `publicKeyAttestation` as text/],
    [{ scheme: 'SIGNATURE_SCHEME_TK_API_P256' }, /expected `scheme` to be one of/],
    [{ publicKey: undefined }, /expected `publicKey` as text/],
    [{ publicKey: [publicKey] }, /expected `publicKey` as text/],
    [{ publicKey: publicKey.slice(2) }, /expected `publicKey` as 33 bytes in hex/],
    [{ publicKey: `04${'11'.repeat(64)}` }, /expected `publicKey` as 33 bytes in hex/],
    [{ publicKey: `${publicKey}0` }, /expected `publicKey` as 33 bytes in hex/],
    [{ signature: 5 }, /expected `signature` as text/],
    [{ signature: 'no hex' }, /expected `signature` in hex/],
  ];
  for (const [member, message] of refused) {
    assert.throws(() => parseAttestedStamp(headerOf({ ...whole, ...member })), message);
  }
  assert.throws(() => parseAttestedStamp(headerOf([])), /base64url of a JSON object/);
  assert.throws(() => parseAttestedStamp('*'), /base64url of a JSON object/);
});

test('an attested stamp has a maximum length', () => {
  const of = (token: string) => headerOf({ ...whole, publicKeyAttestation: token });
  const bytesAround = JSON.stringify({ ...whole, publicKeyAttestation: '' }).length;
  const longest = 'x'.repeat((maximumAttestedStampCharacters * 3) / 4 - bytesAround);
  assert.equal(of(longest).length, maximumAttestedStampCharacters);
  assert.equal(parseAttestedStamp(of(longest)).token, longest);
  assert.throws(() => parseAttestedStamp(of(`${longest}x`)), /header too long/);
});
