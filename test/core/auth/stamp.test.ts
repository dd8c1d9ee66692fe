import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  maximumStampCharacters,
  parseStamp,
  stampSchemeTable,
} from '../../../src/core/auth/stamp.ts';
import {
  base64url,
  bytesOfBase64url,
  hex,
  textOfUtf8,
  utf8,
} from '../../../src/core/base/bytes.ts';
import { stampSchemes } from '../../../src/core/base/enums.ts';
import { ecdsaSignatureOfDer } from '../../../src/core/crypto/signature_der.ts';
import { stampVerifiers } from '../../../src/core/crypto/verify.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';

// Published with the description of stamps, for the body below.
const publishedBody = utf8('{"payload": "hello from TKHQ"}');
const published =
  'eyJwdWJsaWNLZXkiOiIwMzI3YTUwMDMyZTZmMDYzMWQ1NjA1YjZhZGEzMmI3NzkwNzRmMzQ2ZTgxYjY4ZTEyODAxNjQwZjFjOWVlMDNkYWUiLCJzaWduYXR1cmUiOiIzMDQ0MDIyMDM2MjNkZWZkNjE4ZWIzZTIxOTk3MDQ5NjQwN2ViZTkyNDQ3MzE3ZGFkNzVlNDEyYmQ0YTYyNjdjM2I1ZTIyMjMwMjIwMjQ1Yjc0MDg0OGE3MmQwOGI2MGQ2Yzg0ZjMzOTczN2I2M2RiM2JjYmFkYjNiZDBkY2IxYmZiODY1NzE1ZDhiNSIsInNjaGVtZSI6IlNJR05BVFVSRV9TQ0hFTUVfVEtfQVBJX1AyNTYifQ';

const publicKey = '0327a50032e6f0631d5605b6ada32b779074f346e81b68e12801640f1c9ee03dae';
const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
const signature = `3044${'0220'}${'36'.repeat(32)}${'0220'}${'24'.repeat(32)}`;
const members = { publicKey, scheme, signature };

const headerOf = (value: unknown): string => base64url(utf8(JSON.stringify(value)));

function refusalOf(header: string): ServiceError | undefined {
  try {
    parseStamp(header);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'stamp_malformed');
    return error;
  }
}

// AUTH-02
test('the published stamp is read, and its signature verifies over the published body', () => {
  const stamp = parseStamp(published);
  assert.equal(stamp.scheme, scheme);
  assert.equal(stamp.algorithm, 'p256');
  assert.equal(stamp.credentialType, 'CREDENTIAL_TYPE_API_KEY_P256');
  assert.equal(hex(stamp.publicKey), publicKey);
  assert.equal(stamp.publicKeyText, publicKey);
  assert.equal(hex(stamp.signature), stamp.signatureText);
  const compact = ecdsaSignatureOfDer(stamp.signature);
  assert.ok(compact !== undefined);
  const { verify } = stampVerifiers[scheme];
  assert.equal(verify(stamp.publicKey, compact, publishedBody), true);
  assert.equal(verify(stamp.publicKey, compact, utf8('{"payload":"hello from TKHQ"}')), false);
});

const text = JSON.stringify(members);
const lenient: Readonly<Record<string, string>> = {
  'no padding': headerOf(members),
  padding: `${base64url(utf8(`${text} `.padEnd(Math.ceil(text.length / 3) * 3 + 1)))}==`,
  'the other base64 alphabet': Buffer.from(JSON.stringify({ ...members, x: '>>>???' })).toString(
    'base64',
  ),
  'another order of members': headerOf({ signature, scheme, publicKey }),
  'white space': base64url(utf8(JSON.stringify(members, undefined, 2))),
  'white space around': base64url(utf8(` \n${text}\t `)),
  'separators as Python writes them': base64url(
    utf8(`{"publicKey": "${publicKey}", "scheme": "${scheme}", "signature": "${signature}"}`),
  ),
  'unknown members': headerOf({ ...members, version: 2, extra: { a: [null] } }),
  'upper-case hex': headerOf({
    ...members,
    publicKey: publicKey.toUpperCase(),
    signature: signature.toUpperCase(),
  }),
  'escapes in the JSON': base64url(utf8(text.replace('publicKey', '\\u0070ublicKey'))),
};

for (const [what, header] of Object.entries(lenient)) {
  test(`a stamp is accepted with ${what}`, () => {
    const stamp = parseStamp(header);
    assert.equal(stamp.scheme, scheme);
    assert.equal(hex(stamp.publicKey), publicKey);
    assert.equal(hex(stamp.signature), signature);
  });
}

test('key and signature are stored as they were sent', () => {
  const sent = { publicKey: publicKey.toUpperCase(), signature: signature.toUpperCase() };
  const { publicKeyText, signatureText } = parseStamp(headerOf({ ...members, ...sent }));
  assert.deepEqual({ publicKey: publicKeyText, signature: signatureText }, sent);
});

for (const name of stampSchemes) {
  test(`${name} requires a key of its own length`, () => {
    const { publicKeyBytes, algorithm, credentialType } = stampSchemeTable[name];
    const of = (length: number) =>
      headerOf({ scheme: name, signature: '', publicKey: '02'.repeat(length) });
    const stamp = parseStamp(of(publicKeyBytes));
    assert.deepEqual([stamp.algorithm, stamp.credentialType], [algorithm, credentialType]);
    for (const length of [0, publicKeyBytes - 1, publicKeyBytes + 1, 65]) {
      assert.match(refusalOf(of(length))?.message ?? '', /`publicKey` as 3[23] bytes in hex/);
    }
  });
}

const malformed: Readonly<Record<string, readonly [string, RegExp]>> = {
  'nothing at all': ['', /expected a JSON object/],
  'no base64': ['{"publicKey":1}', /expected base64url/],
  'white space inside': [
    `${headerOf(members).slice(0, 8)} ${headerOf(members).slice(8)}`,
    /base64url/,
  ],
  'no UTF-8': [base64url(Uint8Array.of(0x7b, 0xff, 0x7d)), /JSON in UTF-8/],
  'a byte order mark': [base64url(utf8(`\ufeff${text}`)), /expected a JSON object/],
  'no JSON': [base64url(utf8(text.slice(0, -1))), /expected a JSON object/],
  'two JSON values': [base64url(utf8(text + text)), /expected a JSON object/],
  'a list': [headerOf([members]), /expected a JSON object/],
  null: [headerOf(null), /expected a JSON object/],
  'no members': [headerOf({}), /expected `scheme` as text/],
  'an unknown scheme': [
    headerOf({ ...members, scheme: 'SIGNATURE_SCHEME_TK_API_RSA' }),
    /to be one of/,
  ],
  'a scheme in lower case': [
    headerOf({ ...members, scheme: scheme.toLowerCase() }),
    /to be one of/,
  ],
  'a scheme that every object has': [
    headerOf({ ...members, scheme: 'constructor' }),
    /to be one of/,
  ],
  'a prototype as scheme': [headerOf({ ...members, scheme: '__proto__' }), /to be one of/],
  'members of a prototype': [
    base64url(utf8(`{"__proto__": ${text}}`)),
    /expected `scheme` as text/,
  ],
  'a scheme that is no text': [headerOf({ ...members, scheme: [scheme] }), /`scheme` as text/],
  'a key that is no text': [headerOf({ ...members, publicKey: 2 }), /`publicKey` as text/],
  'a key with 0x': [
    headerOf({ ...members, publicKey: `0x${publicKey}` }),
    /`publicKey` as 33 bytes/,
  ],
  'no key': [headerOf({ scheme, signature }), /`publicKey` as text/],
  'a signature that is no text': [headerOf({ ...members, signature: null }), /`signature` as text/],
  'a signature that is no hex': [headerOf({ ...members, signature: '3g' }), /`signature` in hex/],
  'half a byte of signature': [headerOf({ ...members, signature: '304' }), /`signature` in hex/],
};

for (const [what, [header, reason]] of Object.entries(malformed)) {
  test(`a stamp is refused with ${what}`, () => {
    assert.match(refusalOf(header)?.message ?? '', reason);
  });
}

test('a header longer than 4096 characters is not parsed', () => {
  const of = (length: number) => {
    const padding = 'x'.repeat(
      Math.floor((length * 3) / 4) - JSON.stringify({ ...members, x: '' }).length,
    );
    return headerOf({ ...members, x: padding });
  };
  const longest = of(maximumStampCharacters);
  assert.equal(longest.length, maximumStampCharacters);
  assert.equal(parseStamp(longest).scheme, scheme);
  assert.match(refusalOf(of(maximumStampCharacters + 4))?.message ?? '', /header too long/);
});

test('any header is a stamp or malformed', () => {
  const json = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          publicKey: fc.oneof(fc.constant(publicKey), fc.string(), fc.jsonValue()),
          scheme: fc.oneof(fc.constant(scheme), fc.constantFrom(...stampSchemes), fc.jsonValue()),
          signature: fc.oneof(fc.constant(signature), fc.string(), fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const header = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 300 }).map(base64url),
    fc.base64String(),
    json.map((value) => base64url(utf8(value))),
  );
  fc.assert(
    fc.property(header, (value) => {
      if (refusalOf(value) !== undefined) return;
      const parsed: unknown = JSON.parse(textOfUtf8(bytesOfBase64url(value) ?? utf8('')) ?? '');
      const { publicKeyText, signatureText, scheme: name } = parseStamp(value);
      const read = { publicKey: publicKeyText, signature: signatureText, scheme: name };
      assert.deepEqual({ ...(parsed as object), ...read }, parsed);
    }),
    { numRuns: 2000 },
  );
});

test('a valid stamp with a changed character is another stamp, or malformed', () => {
  fc.assert(
    fc.property(
      fc.nat(published.length - 1),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, c) => {
        const mutated = published.slice(0, at) + c + published.slice(at + 1);
        if (mutated !== published) refusalOf(mutated);
        refusalOf(published.slice(0, at));
      },
    ),
    { numRuns: 1000 },
  );
});

test('a refusal repeats no part of the stamp', () => {
  const secret = 'a'.repeat(64);
  for (const wrong of ['publicKey', 'scheme', 'signature'] as const) {
    const refusal = refusalOf(headerOf({ ...members, [wrong]: `${secret}!` }));
    assert.ok(refusal !== undefined);
    assert.ok(!refusal.message.includes(secret));
    assert.ok(!JSON.stringify(refusal.details).includes(secret));
  }
});
