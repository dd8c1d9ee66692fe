import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyOtpVerificationToken, verifySessionJwtSignature } from '@turnkey/crypto';
import fc from 'fast-check';
import { issuerDocument } from '../../../../src/core/auth/tokens/issued_identity.ts';
import {
  maximumTokenCharacters,
  type TokenReading,
  tokenRefusals,
  unverifiedClaims,
} from '../../../../src/core/auth/tokens/jwt.ts';
import {
  type SessionClaims,
  writeSessionToken,
} from '../../../../src/core/auth/tokens/session_token.ts';
import {
  type LegacyVerificationClaims,
  readLegacyVerificationToken,
  readVerificationToken,
  type VerificationClaims,
  writeLegacyVerificationToken,
  writeVerificationToken,
} from '../../../../src/core/auth/tokens/verification_token.ts';
import {
  base64url,
  bytesOfBase64url,
  hex,
  textOfUtf8,
  utf8,
} from '../../../../src/core/base/bytes.ts';
import { sha256 } from '../../../../src/core/crypto/hashes.ts';
import { fixedServiceKeys } from '../../crypto/service_keys.test.ts';
import { readSessionToken } from './read_session_token.ts';

const keys = fixedServiceKeys();
const now = 1_700_000_000_000;

// Tokens and keys of the hosted service, printed in the tests of the public clients.
const hosted = {
  session: {
    publicKey:
      '04d498aa87ac3bf982ac2b5dd9604d0074905cfbda5d62727c5a237b895e6749205e9f7cd566909c4387f6ca25c308445c60884b788560b785f4a96ac33702a469',
    token:
      'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3NDg4NzY4MzcsInB1YmxpY19rZXkiOiIwMzk5ZmUyYWNlNjIwOGFmMGFkZjg0OGY0NGJjNDgyMTBiNTk0YjdlNjllY2Q5MWVjOTY4ZmQ3NWIzYmI0NDgzMzYiLCJzZXNzaW9uX3R5cGUiOiJTRVNTSU9OX1RZUEVfUkVBRF9XUklURSIsInVzZXJfaWQiOiI2OTEyYjgxOS1mNGRmLTQwZjQtYTE5Mi0yMGVlNDMwOTA5NzQiLCJvcmdhbml6YXRpb25faWQiOiJjNzVlY2IwNy1jODRhLTRkZDUtOTMyYy01MzlkZmFmYzY4NjQifQ.y6LPW1jlTwc9jFcvCwKJoKfleL_vHnGUr5tRVdMFUCnHvDspSPZ3DWK85tf1znCCBFQ6MYaFOl-1FLb0KcFxqQ',
  },
  verification: {
    publicKey:
      '046b4f88421f76b6ba418afc2ea1d8ced671337d7db6b80478a60d8531bf8f17fa9a512f0fef96fc0c9b4cd9dff70b34992e520ce04c79d931f6ff6296b547d201',
    token:
      'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJleHAiOiIxNzgyOTE5NjUxMjYxIiwiaWQiOiJlYjM5YjE5OS0zMzUyLTQyODktYjMxZi01NzE5NGM3OTYwOWMiLCJvcmdhbml6YXRpb25faWQiOiI3ZmYxODlmYi1kZjdkLTQ1MmUtODU0MC01NzYzMmUzODBiNzciLCJ2ZXJpZmljYXRpb25fdHlwZSI6Ik9UUF9UWVBFX0VNQUlMIiwiY29udGFjdCI6InVzZXJAZXhhbXBsZS5jb20iLCJwdWJsaWNfa2V5IjoiMDM2MzM1Yjc4ZjkyNzM2ZTMyZTk5ZGM2YWVkOTc5YWZmMGI1YzI0MTkyZTc2YjE2MjhhYTU0ZWRhZjU4YzhjMTVkIn0.YMtLA5vVUTiYhW5CIitrGXb-fk4MWx-MNVC4etopkKVro6tn0CP-Uz7biSZOunASsEc3jkjJWnFIn2AMpuZomg',
  },
  legacy: {
    publicKey: '037e1d0aecd22e33bf831bcb905d31971013b83d2b3ebb718fba4e58fa5a93019d',
    token:
      'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJjb250YWN0IjoidXNlckBleGFtcGxlLmNvbSIsImV4cCI6MTc3MDc1MTgyMSwiaWQiOiI4ZmMxZDQ0NS05ZmI4LTQ3NWQtYWViNy04ZTlkOWY4ZjkwYTUiLCJ2ZXJpZmljYXRpb25fdHlwZSI6Ik9UUF9UWVBFX0VNQUlMIn0.YorjdeMCvQmjWe680OeWUDXB7LEBFudvGS8R8TP451DACO02MAyAlKOwXOulG9Z422qXMvVqn7mITT2f1hgWwQ',
  },
};

const sessionClaims: SessionClaims = {
  expiresAtSeconds: 1_748_876_837,
  publicKey: '0399fe2ace6208af0adf848f44bc48210b594b7e69ecd91ec968fd75b3bb448336',
  sessionType: 'SESSION_TYPE_READ_WRITE',
  userId: '6912b819-f4df-40f4-a192-20ee43090974',
  organizationId: 'c75ecb07-c84a-4dd5-932c-539dfafc6864',
};

const verificationClaims: VerificationClaims = {
  expiresAtMs: 1_782_919_651_261,
  id: 'eb39b199-3352-4289-b31f-57194c79609c',
  organizationId: '7ff189fb-df7d-452e-8540-57632e380b77',
  verificationType: 'OTP_TYPE_EMAIL',
  contact: 'user@example.com',
  publicKey: '036335b78f92736e32e99dc6aed979aff0b5c24192e76b1628aa54edaf58c8c15d',
};

const legacyClaims: LegacyVerificationClaims = {
  contact: 'user@example.com',
  expiresAtSeconds: 1_770_751_821,
  id: '8fc1d445-9fb8-475d-aeb7-8e9d9f8f90a5',
  verificationType: 'OTP_TYPE_EMAIL',
};

type Kind = {
  role: 'notarizer' | 'verifier' | 'legacy_verifier';
  hashes: 1 | 2;
  hosted: { publicKey: string; token: string };
  claims: object;
  /** The last millisecond in which the hosted token is valid. */
  lastMs: number;
  write: () => string;
  read: (token: string, at: { publicKey: Uint8Array; now: number }) => TokenReading<object>;
};

const kinds: Readonly<Record<string, Kind>> = {
  session: {
    role: 'notarizer',
    hashes: 2,
    hosted: hosted.session,
    claims: sessionClaims,
    lastMs: 1_748_876_836_999,
    write: () => writeSessionToken(sessionClaims, keys),
    read: readSessionToken,
  },
  verification: {
    role: 'verifier',
    hashes: 1,
    hosted: hosted.verification,
    claims: verificationClaims,
    lastMs: 1_782_919_651_260,
    write: () => writeVerificationToken(verificationClaims, keys),
    read: readVerificationToken,
  },
  'verification, first version': {
    role: 'legacy_verifier',
    hashes: 1,
    hosted: hosted.legacy,
    claims: legacyClaims,
    lastMs: 1_770_751_820_999,
    write: () => writeLegacyVerificationToken(legacyClaims, keys),
    read: readLegacyVerificationToken,
  },
};

const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'));

/** Returns a token signed by the service's key, although the service would not issue it. */
function signed(kind: Kind, header: string, payload: string): string {
  const part = `${base64url(utf8(header))}.${base64url(utf8(payload))}`;
  const once = sha256(utf8(part));
  return `${part}.${base64url(keys.sign(kind.role, kind.hashes === 2 ? sha256(once) : once))}`;
}

for (const [name, kind] of Object.entries(kinds)) {
  const publicKey = keys.publicKey(kind.role);
  const token = kind.write();
  const [header = '', payload = ''] = token
    .split('.')
    .map((part) => textOfUtf8(bytesOfBase64url(part) ?? new Uint8Array(0)) ?? '');
  const refusalOf = (text: string, now = kind.lastMs) =>
    kind.read(text, { publicKey, now }).refusal;

  test(`${name}: the token of the hosted service is read by its key`, () => {
    const hostedKey = Uint8Array.fromHex(kind.hosted.publicKey);
    const reading = kind.read(kind.hosted.token, { publicKey: hostedKey, now: kind.lastMs });
    assert.deepEqual(reading, { claims: kind.claims });
    assert.equal(refusalOf(kind.hosted.token), tokenRefusals.signature);
  });

  test(`${name}: the same claims give the same text`, () => {
    assert.equal(signedPart(token), signedPart(kind.hosted.token));
    assert.deepEqual(kind.read(token, { publicKey, now: kind.lastMs }), { claims: kind.claims });
  });

  test(`${name}: expires`, () => {
    assert.equal(refusalOf(token, kind.lastMs + 1), tokenRefusals.expired);
    assert.equal(refusalOf(token, 0), undefined);
  });

  test(`${name}: a changed character anywhere is refused`, () => {
    for (let place = 0; place < token.length; place += 1) {
      for (const other of ['A', 'w', '.']) {
        if (token[place] === other) continue;
        const altered = `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
        assert.notEqual(refusalOf(altered), undefined, `${place} ${other}`);
      }
      assert.notEqual(refusalOf(token.slice(0, place)), undefined);
    }
  });

  test(`${name}: other texts are refused with the reason`, () => {
    const { malformed } = tokenRefusals;
    for (const text of ['', '.', 'a.b.c', `${token}.`, `${token}.AA`, ` ${token}`, `${token}=`]) {
      assert.equal(refusalOf(text), malformed, text);
    }
    // Unused bits of base64url: another text of the same bytes.
    const last = token.slice(-1);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const next = alphabet[alphabet.indexOf(last) + 1] ?? '';
    assert.equal(refusalOf(`${token.slice(0, -1)}${next}`), malformed);
    assert.equal(refusalOf(`${'A'.repeat(maximumTokenCharacters)}.A.A`), tokenRefusals.tooLong);
  });

  test(`${name}: requires exactly the written header`, () => {
    assert.equal(refusalOf(signed(kind, header, payload)), undefined);
    const others = [
      '{"alg":"none","typ":"JWT"}',
      '{"alg":"HS256","typ":"JWT"}',
      '{"alg":"ES256"}',
      `${header} `,
      header.replace('"JWT"', '"JWT","kid":"1"'),
      '',
      'null',
    ];
    for (const other of others) {
      assert.equal(refusalOf(signed(kind, other, payload)), tokenRefusals.header, other);
    }
    const otherOrder =
      header === '{"alg":"ES256","typ":"JWT"}'
        ? '{"typ":"JWT","alg":"ES256"}'
        : '{"alg":"ES256","typ":"JWT"}';
    assert.equal(refusalOf(signed(kind, otherOrder, payload)), tokenRefusals.header);
  });

  test(`${name}: requires every claim in its form`, () => {
    const claims = JSON.parse(payload);
    for (const claim of Object.keys(claims)) {
      for (const value of [undefined, null, '', 0.5, true, [], {}, [claims[claim]]]) {
        const altered = JSON.stringify({ ...claims, [claim]: value });
        assert.equal(refusalOf(signed(kind, header, altered)), tokenRefusals.claims, altered);
      }
    }
    const otherTime = typeof claims.exp === 'number' ? String(claims.exp) : Number(claims.exp);
    for (const exp of [otherTime, '-1', '1e15', ' 1', '9'.repeat(16)]) {
      const altered = JSON.stringify({ ...claims, exp });
      assert.equal(refusalOf(signed(kind, header, altered)), tokenRefusals.claims, altered);
    }
    for (const text of ['', 'null', '[]', '"text"', '{', '\ufffe']) {
      assert.equal(refusalOf(signed(kind, header, text)), tokenRefusals.claims, text);
    }
  });

  test(`${name}: the other number of hashes makes the signature invalid`, () => {
    const otherwise: Kind = { ...kind, hashes: kind.hashes === 1 ? 2 : 1 };
    assert.equal(refusalOf(signed(otherwise, header, payload)), tokenRefusals.signature);
  });

  test(`${name}: tokens of the other kinds are refused`, () => {
    for (const other of Object.values(kinds)) {
      if (other !== kind) assert.notEqual(refusalOf(other.write()), undefined);
    }
  });
}

test('the public clients accept the session token with the given key', async () => {
  const token = writeSessionToken(sessionClaims, keys);
  const notarizer = hex(keys.publicKey('notarizer'));
  assert.equal(await verifySessionJwtSignature(token, notarizer), true);
  assert.equal(await verifySessionJwtSignature(token, hex(keys.publicKey('signer'))), false);
  assert.equal(await verifySessionJwtSignature(token), false);
});

// OP-UPDATE-USER-EMAIL-07
test('the public clients accept the verification token with the given key', async () => {
  const expiresAtMs = 253_402_300_799_999;
  const token = writeVerificationToken({ ...verificationClaims, expiresAtMs }, keys);
  const claims = await verifyOtpVerificationToken(token, hex(keys.publicKey('verifier')));
  assert.deepEqual(claims, {
    exp: String(expiresAtMs),
    id: verificationClaims.id,
    organization_id: verificationClaims.organizationId,
    verification_type: verificationClaims.verificationType,
    contact: verificationClaims.contact,
    public_key: verificationClaims.publicKey,
  });
  await assert.rejects(verifyOtpVerificationToken(token), /signature is invalid/);
});

test('a session with a profile names the profile and its scope', () => {
  const claims = { ...sessionClaims, sessionProfileId: 'a profile', scope: 'read > write?' };
  const token = writeSessionToken(claims, keys);
  const publicKey = keys.publicKey('notarizer');
  assert.deepEqual(readSessionToken(token, { publicKey, now }), { claims });
  const payload = JSON.parse(atob(token.split('.')[1] ?? ''));
  assert.deepEqual(Object.keys(payload), [
    'exp',
    'public_key',
    'session_type',
    'user_id',
    'organization_id',
    'session_profile_id',
    'scope',
  ]);
});

test('for any claims, clients may decode the payload as base64', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
  const shifting = fc.array(fc.constantFrom('>', '?', '~', '\u007f', 'é', '🔑', 'a', '"', '\\'), {
    minLength: 1,
    maxLength: 30,
  });
  const scopes = fc.oneof(
    text,
    shifting.map((characters) => characters.join('')),
  );
  const publicKey = keys.publicKey('notarizer');
  fc.assert(
    fc.property(scopes, (scope) => {
      const token = writeSessionToken({ ...sessionClaims, scope }, keys);
      const payload = token.split('.')[1] ?? '';
      assert.doesNotMatch(payload, /[-_=]/);
      assert.equal(JSON.parse(atob(payload)).scope, scope);
      assert.equal(readSessionToken(token, { publicKey, now }).claims?.scope, scope);
    }),
    { numRuns: 300 },
  );
});

test('claims of a foreign token are read up to the maximum length', () => {
  const padded = (length: number) => {
    const start = `${'A'.repeat(4)}.${base64url(utf8('{"a":1}'))}.`;
    return start + 'A'.repeat(length - start.length);
  };
  assert.deepEqual(unverifiedClaims(padded(maximumTokenCharacters)), { a: 1 });
  assert.equal(unverifiedClaims(padded(maximumTokenCharacters + 1)), undefined);
});

test('a token beyond the maximum length is not written', () => {
  const scope = 'x'.repeat(maximumTokenCharacters);
  assert.throws(() => writeSessionToken({ ...sessionClaims, scope }, keys), /keeps its bound/);
});

test('the issuer document names its keys and claims', () => {
  // OpenID Connect Discovery 1.0, section 3: what a provider must name.
  assert.deepEqual(issuerDocument('https://keys.example'), {
    issuer: 'https://keys.example',
    jwks_uri: 'https://keys.example/.well-known/jwks.json',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['iss', 'aud', 'sub', 'nonce', 'iat', 'exp'],
  });
});
