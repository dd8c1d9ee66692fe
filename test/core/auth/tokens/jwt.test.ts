import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maximumTokenCharacters,
  readJwt,
  type TokenKind,
  tokenRefusals,
  writeJwt,
} from '../../../../src/core/auth/tokens/jwt.ts';
import { base64url, utf8 } from '../../../../src/core/base/bytes.ts';
import { sha256 } from '../../../../src/core/crypto/hashes.ts';
import { fixedServiceKeys } from '../../crypto/service_keys.test.ts';

const keys = fixedServiceKeys();
const publicKey = keys.publicKey('verifier');

const kind: TokenKind = { role: 'verifier', header: '{"alg":"ES256","typ":"JWT"}', hashes: 1 };

test('a token of the maximum length is written and read, and a longer token is refused', () => {
  const around = writeJwt(kind, { a: '' }, keys).length;
  // Four characters encode three bytes, so the longest payload is one of three lengths.
  const bytes = Math.floor(((maximumTokenCharacters - around) * 3) / 4);
  const lengths = [bytes, bytes + 1, bytes + 2].map((length) => 'x'.repeat(length));
  const longest = lengths.findLast((a) => base64url(utf8(JSON.stringify({ a }))).length <= 16_260);
  assert.ok(longest !== undefined);
  const token = writeJwt(kind, { a: longest }, keys);
  assert.equal(token.length, maximumTokenCharacters);
  assert.deepEqual(readJwt(token, kind, publicKey), { claims: { a: longest } });
  assert.throws(() => writeJwt(kind, { a: `${longest}x` }, keys));

  // The longer token has a valid signature.
  const signed = [kind.header, JSON.stringify({ a: `${longest}x` })]
    .map((part) => base64url(utf8(part)))
    .join('.');
  const longer = `${signed}.${base64url(keys.sign(kind.role, sha256(utf8(signed))))}`;
  assert.ok(longer.length > maximumTokenCharacters);
  assert.deepEqual(readJwt(longer, kind, publicKey), { refusal: tokenRefusals.tooLong });
});
