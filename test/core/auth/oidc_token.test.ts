// AUTH-11, OP-OAUTH-03: tokens of identity providers.

import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bindsKey,
  isFresh,
  keysThatFit,
  leewaySeconds,
  maximumTokenCharacters,
  readCompactJws,
  readOidcToken,
  verifyOidcToken,
} from '../../../src/core/auth/oidc_token.ts';
import {
  type JwsAlgorithmName,
  jwsAlgorithmNames,
  jwsKeyOf,
  verifyJws,
} from '../../../src/core/crypto/jws.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { Json, JsonObject } from '../../../src/core/schema/json.ts';
import {
  algorithms,
  issue,
  issueHmac,
  keyOf,
  otherCurveKey,
  signTexts,
  type TokenAlgorithm,
  tokenKeys,
  weakKey,
} from './token_issuer.ts';

const nowSeconds = 1_800_000_000;
const now = nowSeconds * 1000;
const claims = {
  iss: 'https://issuer.example',
  aud: 'client-1',
  sub: 'user-1',
  iat: nowSeconds - 5,
  exp: nowSeconds + 600,
  nonce: 'n',
};
const keys = { keys: Object.values(tokenKeys).map(({ jwk }) => jwk) };
const keySetOf = (...jwks: readonly Json[]): Json => ({ keys: jwks });

/** Returns the reason of the refusal, or undefined for an accepted token. */
function refusalOf(
  token: string,
  options: { keys?: Json; allowedAlgorithms?: readonly JwsAlgorithmName[]; now?: number } = {},
): string | undefined {
  try {
    verifyOidcToken({ token, keys, now, ...options });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'oidc_token_invalid');
    assert.match(error.message, /^invalid OIDC token: /);
    return String(error.details['reason']);
  }
}

/** Checks only the signature, since not every vector's payload is a set of claims. */
function isSigned(compact: string, jwk: Json): boolean {
  const { algorithm, keyId, signed, signature } = readCompactJws(compact);
  return keysThatFit(keySetOf(jwk), algorithm, keyId).some((key) =>
    verifyJws(key, signed, signature),
  );
}

const rfc7515Payload =
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
/** Examples of the standards: compact text and public key. */
const published: Readonly<Record<string, { compact: string; jwk: JsonObject }>> = {
  'RFC 7515 appendix A.2 (RS256)': {
    compact: `eyJhbGciOiJSUzI1NiJ9.${rfc7515Payload}.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw`,
    jwk: {
      kty: 'RSA',
      n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
      e: 'AQAB',
    },
  },
  'RFC 7515 appendix A.3 (ES256)': {
    compact: `eyJhbGciOiJFUzI1NiJ9.${rfc7515Payload}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
    jwk: {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  },
  'RFC 8037 appendix A.4 (Ed25519)': {
    compact:
      'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    jwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  },
};

for (const [name, { compact, jwk }] of Object.entries(published)) {
  test(`the signature of ${name} verifies`, () => {
    assert.equal(isSigned(compact, jwk), true);
    const [header = '', payload = ''] = compact.split('.');
    const swapped = compact.replace(payload, Buffer.from('{}').toString('base64url'));
    assert.equal(isSigned(swapped, jwk), false);
    assert.throws(() => isSigned(`${header}.${payload}`, jwk), ServiceError);
  });
}

test('the published tokens are refused only for their claims', () => {
  for (const { compact, jwk } of Object.values(published).slice(0, 2)) {
    const key = keySetOf(jwk);
    assert.match(refusalOf(compact, { keys: key, now: 1_300_819_379_999 }) ?? '', /^`aud`/);
    assert.match(refusalOf(compact, { keys: key, now: 1_300_819_380_000 }) ?? '', /expired/);
  }
});

// RFC 7515 appendix A.1 (HMAC) and A.5 (unsecured).
test('the unsecured and the symmetric example of the standard are refused', () => {
  for (const compact of [
    `eyJhbGciOiJub25lIn0.${rfc7515Payload}.`,
    `eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.${rfc7515Payload}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
  ]) {
    assert.match(refusalOf(compact) ?? '', /^`alg`/);
  }
});

// The known answer that is published with the flow: authentication by a key that the token names.
test('a token binds the key whose text its nonce hashes', () => {
  const key = '0394e549c71fa99dd5cf752fba623090be314949b74e4cdf7ca72031dd638e281a';
  const nonce = '1663bba492a323085b13895634a3618792c4ec6896f3c34ef3c26396df22ef82';
  assert.equal(bindsKey({ nonce }, key), true);
  assert.equal(bindsKey({ tknonce: nonce }, key), true);
  assert.equal(bindsKey({ nonce: 'another', tknonce: nonce }, key), true);
  assert.equal(bindsKey({ nonce: nonce.toUpperCase() }, key), false);
  assert.equal(bindsKey({ nonce }, key.toUpperCase()), false);
  assert.equal(bindsKey({ nonce: `${nonce}0` }, key), false);
  assert.equal(bindsKey({ nonce: '' }, key), false);
  assert.equal(bindsKey({}, key), false);
});

for (const algorithm of algorithms) {
  test(`a token signed with ${algorithm} is verified and read`, () => {
    const token = issue({ ...claims, email: 'a@b.example', email_verified: true }, { algorithm });
    assert.deepEqual(verifyOidcToken({ token, keys, now }), {
      issuer: 'https://issuer.example',
      audience: 'client-1',
      subject: 'user-1',
      nonce: 'n',
      email: 'a@b.example',
      emailVerified: true,
      issuedAt: claims.iat * 1000,
      expiresAt: now + 600_000,
      tokenId: `id_token:${sha256OfText(token.split('.').slice(0, 2).join('.'))}`,
    });
    const others = jwsAlgorithmNames.filter((name) => name !== algorithm);
    assert.match(refusalOf(token, { allowedAlgorithms: others }) ?? '', /is not accepted$/);
    assert.equal(refusalOf(token, { allowedAlgorithms: [algorithm] }), undefined);
  });

  test(`a token signed with ${algorithm} by another key is refused`, () => {
    const options = { rsa: { modulusLength: 2048 }, ec: { namedCurve: curveOf(algorithm) } };
    const { asymmetricKeyType } = tokenKeys[algorithm].privateKey;
    const pair =
      asymmetricKeyType === 'rsa'
        ? generateKeyPairSync('rsa', options.rsa)
        : asymmetricKeyType === 'ec'
          ? generateKeyPairSync('ec', options.ec)
          : generateKeyPairSync('ed25519');
    const token = issue(claims, { algorithm, key: keyOf(algorithm, pair) });
    assert.equal(refusalOf(token), 'the signature does not verify');
  });
}

test('a token is fresh for ten minutes after its stated time, and never without a time', () => {
  const issuedAt = now - 600_000;
  assert.equal(isFresh({ issuedAt }, now), true);
  assert.equal(isFresh({ issuedAt: issuedAt - 1 }, now), false);
  assert.equal(isFresh({}, now), false);
});

const sha256OfText = (text: string) => createHash('sha256').update(text).digest('hex');

const curveOf = (algorithm: TokenAlgorithm): string => (algorithm === 'ES384' ? 'P-384' : 'P-256');

test('the unverified parts name the issuer whose keys are needed', () => {
  const { header, claims: read, ...rest } = readOidcToken(issue(claims));
  assert.deepEqual(rest, {
    algorithm: 'ES256',
    keyId: 'ES256',
    issuer: 'https://issuer.example',
  });
  assert.deepEqual(read, claims);
  assert.deepEqual(header, { alg: 'ES256', typ: 'JWT', kid: 'ES256' });
});

// OP-OAUTH-04: "base64-encoded OIDC token".
test('a token may be wrapped in base64 once more, and not twice', () => {
  const token = issue(claims);
  const wrapped = Buffer.from(token);
  assert.equal(refusalOf(wrapped.toString('base64')), undefined);
  assert.equal(refusalOf(wrapped.toString('base64url')), undefined);
  const twice = Buffer.from(wrapped.toString('base64'));
  assert.notEqual(refusalOf(twice.toString('base64')), undefined);
});

/** `exp` first: at this moment the token has expired. */
const times: readonly (readonly [JsonObject, RegExp | undefined])[] = [
  [{ exp: nowSeconds }, /^`exp`: the token has expired/],
  [{ exp: nowSeconds - 1 }, /expired/],
  [{ exp: nowSeconds + 0.001 }, undefined],
  [{ exp: nowSeconds + 1 }, undefined],
  [{ exp: undefined }, /^`exp`: expected a time/],
  [{ exp: String(nowSeconds + 60) }, /^`exp`: expected a time/],
  [{ exp: null }, /^`exp`/],
  [{ exp: -1 }, /^`exp`/],
  [{ exp: 1e300 }, /^`exp`/],
  [{ nbf: nowSeconds + leewaySeconds }, undefined],
  [{ nbf: nowSeconds + leewaySeconds + 1 }, /^`nbf`: more than 60 seconds in the future/],
  [{ nbf: 'now' }, /^`nbf`/],
  [{ iat: nowSeconds + leewaySeconds }, undefined],
  [{ iat: nowSeconds + leewaySeconds + 1 }, /^`iat`: more than 60 seconds/],
  [{ iat: undefined }, undefined],
];

const identities: readonly (readonly [JsonObject, RegExp | undefined])[] = [
  [{ iss: undefined }, /^`iss`/],
  [{ iss: '' }, /^`iss`/],
  [{ iss: 1 }, /^`iss`/],
  [{ iss: 'x'.repeat(2049) }, /^`iss`/],
  [{ sub: undefined }, /^`sub`/],
  [{ sub: '' }, /^`sub`/],
  [{ sub: 'x'.repeat(255) }, undefined],
  [{ sub: 'x'.repeat(256) }, /^`sub`/],
  [{ sub: 7 }, /^`sub`/],
  [{ aud: undefined }, /^`aud`/],
  [{ aud: ['client-1'] }, undefined],
  [{ aud: [] }, /^`aud`/],
  // OpenID Connect Core 1.0, section 3.1.3.7.
  [{ aud: ['client-1', 'client-2'] }, /^`azp`/],
  [{ aud: ['client-1', 'client-2'], azp: 'client-3' }, /^`azp`/],
  [{ aud: ['client-1', 'client-2'], azp: ['client-1'] }, /^`azp`/],
  [{ aud: ['client-2', 'client-1'], azp: 'client-1' }, undefined],
  [{ aud: ['client-1', 2], azp: 'client-1' }, /^`aud`/],
  [{ aud: Array.from({ length: 11 }, () => 'client-1'), azp: 'client-1' }, /^`aud`/],
  [{ aud: [['client-1']] }, /^`aud`/],
  [{ aud: { 0: 'client-1' } }, /^`aud`/],
  [{ azp: 'another' }, undefined],
  [{ nonce: 5 }, /^`nonce`/],
  [{ nonce: null }, undefined],
  [{ tknonce: ['a'] }, /^`tknonce`/],
  [{ email: {} }, /^`email`/],
  [{ email_verified: 'perhaps' }, undefined],
];

for (const [changed, refusal] of [...times, ...identities]) {
  test(`claims with ${JSON.stringify(changed).slice(0, 60)} are ${refusal ? 'refused' : 'accepted'}`, () => {
    const got = refusalOf(issue({ ...claims, ...changed }));
    if (refusal === undefined) assert.equal(got, undefined);
    else assert.match(got ?? '', refusal);
  });
}

test('an address counts as verified if the issuer states it, in either spelling', () => {
  const read = (value: Json): boolean | undefined =>
    verifyOidcToken({ token: issue({ ...claims, email_verified: value }), keys, now })
      .emailVerified;
  assert.deepEqual(
    [true, 'true', false, 'false', 'yes', 1, null].map((value) => read(value)),
    [true, true, false, false, undefined, undefined, undefined],
  );
});

const headers: readonly (readonly [JsonObject, RegExp | undefined])[] = [
  [{ alg: 'none' }, /^`alg`/],
  [{ alg: 'None' }, /^`alg`/],
  [{ alg: 'HS256' }, /^`alg`/],
  [{ alg: 'es256' }, /^`alg`/],
  [{ alg: 'constructor' }, /^`alg`/],
  [{ alg: '__proto__' }, /^`alg`/],
  [{ alg: undefined }, /^`alg`/],
  [{ alg: ['ES256'] }, /^`alg`/],
  [{ alg: 'ES384' }, /no key that fits/],
  [{ alg: 'RS256' }, /no key that fits/],
  [{ crit: ['exp'] }, /^`crit`/],
  [{ crit: [] }, /^`crit`/],
  [{ crit: null }, /^`crit`/],
  [{ crit: ['b64'], b64: false }, /^`crit`/],
  [{ typ: undefined }, undefined],
  [{ typ: 'jwt' }, undefined],
  [{ typ: 'application/jwt' }, undefined],
  [{ typ: 'at+jwt' }, /^`typ`/],
  [{ typ: 'logout+jwt' }, /^`typ`/],
  [{ typ: 1 }, /^`typ`/],
  [{ kid: undefined }, undefined],
  [{ kid: 'ES384' }, /no key that fits/],
  [{ kid: 'ES256 ' }, /no key that fits/],
  [{ kid: '' }, /no key that fits/],
  [{ kid: 1 }, /^`kid`/],
];

for (const [changed, refusal] of headers) {
  test(`a header with ${JSON.stringify(changed)} is ${refusal ? 'refused' : 'accepted'}`, () => {
    const got = refusalOf(issue(claims, { header: changed }));
    if (refusal === undefined) assert.equal(got, undefined);
    else assert.match(got ?? '', refusal);
  });
}

test('HMAC under the published key is refused in every spelling of that key', () => {
  const { jwk } = tokenKeys.RS256;
  const publicKey = createPublicKey({ key: jwk as Record<string, string>, format: 'jwk' });
  const secrets = [
    publicKey.export({ format: 'pem', type: 'spki' }),
    publicKey.export({ format: 'pem', type: 'pkcs1' }),
    publicKey.export({ format: 'der', type: 'spki' }),
    JSON.stringify(jwk),
    String(jwk['n']),
  ];
  for (const secret of secrets) {
    assert.match(refusalOf(issueHmac(claims, { alg: 'HS256' }, secret)) ?? '', /^`alg`/);
    const confused = issueHmac(claims, { alg: 'RS256', kid: 'RS256' }, secret);
    assert.equal(refusalOf(confused), 'the signature does not verify');
  }
  const shared = keySetOf({ kty: 'oct', k: Buffer.from('secret').toString('base64url') });
  assert.match(
    refusalOf(issueHmac(claims, { alg: 'HS256' }, 'secret'), { keys: shared }) ?? '',
    /^`alg`/,
  );
});

test('keys that a token brings along are not looked at', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = keyOf('ES256', pair);
  for (const header of [
    { jwk: key.jwk },
    { jku: 'https://attacker.example/keys' },
    { x5u: 'https://attacker.example/chain' },
    { x5c: ['AAAA'] },
  ]) {
    assert.equal(refusalOf(issue(claims, { key, header })), 'the signature does not verify');
    assert.equal(refusalOf(issue(claims, { header })), undefined);
  }
});

const { jwk: es256 } = tokenKeys.ES256;
const { jwk: rs256 } = tokenKeys.RS256;
const misfits: Readonly<Record<string, JsonObject>> = {
  'for encryption': { ...es256, use: 'enc' },
  'whose operations lack verification': { ...es256, key_ops: ['sign'] },
  'whose operations are no list': { ...es256, key_ops: 'verify' },
  'of another algorithm': { ...es256, alg: 'ES384' },
  'of another type': { ...es256, kty: 'OKP' },
  'of another curve': { ...es256, crv: 'P-384' },
  'of the curve of another chain': { ...otherCurveKey.jwk, kid: 'ES256' },
  'off its curve': { ...es256, y: es256['x'] },
  'with a short coordinate': { ...es256, x: String(es256['x']).slice(0, -2) },
  'with padding': { ...es256, x: `${es256['x']}=` },
  'without y': { ...es256, y: undefined },
  'with a private part': { ...es256, d: es256['x'] },
  'of RSA': { ...rs256, kid: 'ES256' },
};
for (const [name, jwk] of Object.entries(misfits)) {
  test(`a key ${name} does not fit`, () => {
    assert.match(refusalOf(issue(claims), { keys: keySetOf(jwk) }) ?? '', /no key that fits/);
    // It does not disturb the right key.
    assert.equal(refusalOf(issue(claims), { keys: keySetOf(jwk, es256) }), undefined);
  });
}

test('a key that states its use fits', () => {
  const said = { ...es256, use: 'sig', key_ops: ['verify'], alg: 'ES256', x5t: 'x' };
  assert.equal(refusalOf(issue(claims), { keys: keySetOf(said) }), undefined);
});

test('RSA keys have 2048 to 8192 bits and a small odd exponent', () => {
  const token = issue(claims, { algorithm: 'RS256', key: weakKey });
  assert.match(refusalOf(token, { keys: keySetOf(weakKey.jwk) }) ?? '', /no key that fits/);
  const of = (changed: JsonObject): boolean =>
    jwsKeyOf({ ...rs256, ...changed }, 'RS256') !== undefined;
  const modulus = Buffer.from(String(rs256['n']), 'base64url');
  assert.equal(of({}), true);
  assert.equal(of({ n: Buffer.alloc(1025, 0xff).toString('base64url') }), false);
  // The modulus has the bytes of a 2048-bit number, but only 2047 bits.
  modulus[0] = 0x7f;
  assert.equal(of({ n: modulus.toString('base64url') }), false);
  for (const e of ['AQ', 'AA', '', 'BA', 'AQAAAAE', '!']) assert.equal(of({ e }), false, e);
});

// RFC 8032: under the neutral point, signatures can be forged for every message.
test('Ed25519 keys of small order do not fit', () => {
  const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('base64url');
  assert.equal(jwsKeyOf({ kty: 'OKP', crv: 'Ed25519', x: neutral }, 'EdDSA'), undefined);
});

test('a token that names a key is verified neither by an unnamed key nor by another', () => {
  const { kid, ...nameless } = es256;
  const token = issue(claims);
  assert.match(refusalOf(token, { keys: keySetOf(nameless) }) ?? '', /no key that fits/);
  for (const other of ['', 'es256', 'ES256 ', 1, null, ['ES256']]) {
    const renamed = keySetOf({ ...nameless, kid: other });
    assert.match(refusalOf(token, { keys: renamed }) ?? '', /no key that fits/, String(other));
  }
  assert.equal(refusalOf(token, { keys: keySetOf(nameless, { ...nameless, kid }) }), undefined);
  // If the token names no key, keys with and without a name fit.
  const unnamed = issue(claims, { header: { kid: undefined } });
  assert.equal(refusalOf(unnamed, { keys: keySetOf(nameless) }), undefined);
});

test('without `kid` up to 10 keys are tried', () => {
  const others = Array.from({ length: 9 }, (_, i) =>
    keyOf(`k${i}`, generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  ).map(({ jwk }) => jwk);
  const token = issue(claims, { header: { kid: undefined } });
  assert.equal(refusalOf(token, { keys: keySetOf(...others, es256) }), undefined);
  const one = keyOf('k9', generateKeyPairSync('ec', { namedCurve: 'P-256' })).jwk;
  const eleven = keySetOf(...others, one, es256);
  assert.equal(refusalOf(token, { keys: eleven }), 'more than 10 keys of the issuer fit');
  assert.equal(refusalOf(issue(claims), { keys: eleven }), undefined);
});

test('text that is not a key set verifies nothing', () => {
  for (const odd of [null, [], {}, 'keys', { keys: {} }, { keys: Array(101).fill(es256) }]) {
    assert.match(refusalOf(issue(claims), { keys: odd as Json }) ?? '', /no set of at most 100/);
  }
  const nothings = keySetOf(null, [], 'x', 1, {});
  assert.match(refusalOf(issue(claims), { keys: nothings }) ?? '', /no key that fits/);
});

const quoted = (members: JsonObject): string => JSON.stringify(members).slice(1, -1);
const duplicated: Readonly<Record<string, readonly [string, string]>> = {
  'a claim': ['{"alg":"ES256"}', `{${quoted(claims)},"sub":"user-2"}`],
  'a claim in another spelling': ['{"alg":"ES256"}', `{${quoted(claims)},"s\\u0075b" : "user-2"}`],
  'a member of a member': ['{"alg":"ES256"}', `{${quoted(claims)},"a":[{"b":1,"b":1}]}`],
  'a member of the header': ['{"alg":"none","alg":"ES256"}', `{${quoted(claims)}}`],
};
for (const [name, [header, payload]] of Object.entries(duplicated)) {
  test(`a token with ${name} twice is refused`, () => {
    const token = signTexts(header, payload, tokenKeys.ES256.privateKey, 'ES256');
    assert.match(refusalOf(token) ?? '', /with every member once$/);
  });
}

test('equal names in different objects, or in values, are not duplicates', () => {
  const payload = {
    ...claims,
    a: { sub: 'sub', b: ['sub', 'sub', { sub: '"sub":' }] },
    c: { sub: 1 },
  };
  assert.equal(refusalOf(issue(payload)), undefined);
});

test('claims that are no JSON object in UTF-8 are refused', () => {
  const { privateKey } = tokenKeys.ES256;
  const payloads = ['', 'null', '[]', '"x"', '{', '{}{}', '\ufeff{}', '{"a":"\\ud800"}'];
  for (const payload of [...payloads, `${'['.repeat(40)}${']'.repeat(40)}`]) {
    const token = signTexts('{"alg":"ES256"}', payload, privateKey, 'ES256');
    assert.match(refusalOf(token) ?? '', /^expected claims in JSON/, payload);
  }
  const deep = `{"a":${'['.repeat(4000)}${']'.repeat(4000)}}`;
  const token = signTexts('{"alg":"ES256"}', deep, privateKey, 'ES256');
  assert.match(refusalOf(token) ?? '', /^expected claims in JSON/);
});

test('a token is at most 16,384 characters long', () => {
  const sized = (length: number): string => issue({ ...claims, filler: 'x'.repeat(length) });
  const empty = sized(0).length;
  const fits = sized(Math.floor(((maximumTokenCharacters - empty) * 3) / 4) - 3);
  assert.ok(fits.length > maximumTokenCharacters - 10 && fits.length <= maximumTokenCharacters);
  assert.equal(refusalOf(fits), undefined);
  for (const length of [13_000, 1_000_000]) {
    assert.equal(refusalOf(sized(length)), 'more than 16384 characters');
  }
});

const shapes = ['', '.', '..', '...', 'a', 'a.b', 'a.b.c', 'a.b.c.d', '\u0000', '😀.😀.😀'];
test('text that is not a token, or has another number of parts, is refused', () => {
  const token = issue(claims);
  const [header = '', payload = '', signature = ''] = token.split('.');
  for (const text of [
    ...shapes,
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${token}.`,
    `.${token}`,
    `${token}.${signature}`,
    // An encrypted token has this number of parts.
    `${token}.${payload}.${signature}`,
    ` ${token}`,
    `${token}\n`,
    `${token}=`,
    token.replaceAll('.', ' .'),
  ]) {
    assert.notEqual(refusalOf(text), undefined, JSON.stringify(text));
  }
});

test('the unused bits of the last character must be zero', () => {
  const token = issue(claims, { algorithm: 'EdDSA' });
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.slice(-1));
  // 64 bytes leave four unused bits in 86 characters.
  assert.equal(last % 16, 0);
  for (let bits = 1; bits < 16; bits += 1) {
    const changed = token.slice(0, -1) + alphabet[last + bits];
    assert.equal(refusalOf(changed), 'expected three parts in base64url');
  }
});

for (const algorithm of algorithms) {
  test(`a ${algorithm} signature of another length is refused`, () => {
    const [header, payload, text = ''] = issue(claims, { algorithm }).split('.');
    const signature = Buffer.from(text, 'base64url');
    const zero = Buffer.alloc(1);
    for (const changed of [
      Buffer.alloc(0),
      zero,
      signature.subarray(1),
      signature.subarray(0, -1),
      signature.subarray(0, signature.length / 2),
      Buffer.concat([zero, signature]),
      Buffer.concat([signature, zero]),
      Buffer.concat([signature, signature]),
      Buffer.alloc(signature.length),
    ]) {
      const token = `${header}.${payload}.${changed.toString('base64url')}`;
      assert.equal(refusalOf(token), 'the signature does not verify');
    }
  });

  test(`a ${algorithm} token with any changed character is refused`, () => {
    const token = issue(claims, { algorithm });
    fc.assert(
      fc.property(
        fc.nat({ max: token.length - 1 }),
        fc.constantFrom(...'ABCdef019-_.=+/ \n\u0000'),
        fc.constantFrom(0, 1),
        (at, character, removed) => {
          const changed = token.slice(0, at) + character + token.slice(at + removed);
          fc.pre(changed !== token);
          assert.notEqual(refusalOf(changed), undefined);
        },
      ),
      { numRuns: 300 },
    );
  });
}

test('any text is refused without another error', () => {
  const part = fc.oneof(
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
    fc.constant(Buffer.from('{"alg":"RS256"}').toString('base64url')),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.tuple(part, part, part)), (parts) => {
      const text = typeof parts === 'string' ? parts : parts.join('.');
      assert.notEqual(refusalOf(text), undefined);
    }),
    { numRuns: 500 },
  );
});

test('any key set gives a refusal without another error', () => {
  const token = issue(claims, { header: { kid: undefined } });
  const jwk = fc.record(
    {
      kty: fc.constantFrom('EC', 'RSA', 'OKP', 'oct'),
      crv: fc.constantFrom('P-256', 'P-384', 'Ed25519'),
      x: fc.oneof(fc.constant(es256['x']), fc.base64String()),
      y: fc.oneof(fc.constant(es256['x']), fc.base64String()),
      n: fc.base64String(),
      e: fc.constant('AQAB'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(jwk, fc.jsonValue()), { maxLength: 12 }), (jwks) => {
      assert.notEqual(refusalOf(token, { keys: { keys: jwks } as Json }), undefined);
    }),
    { numRuns: 300 },
  );
});
