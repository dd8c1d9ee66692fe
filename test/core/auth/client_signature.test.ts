import assert from 'node:assert/strict';
import { createPrivateKey, sign as nodeSign } from 'node:crypto';
import { test } from 'node:test';
import {
  getClientSignatureMessageForLogin,
  getClientSignatureMessageForSignup,
} from '@turnkey/core';
import fc from 'fast-check';
import {
  type ClientSignature,
  checkLoginSignature,
  checkSignUpSignature,
  maximumMessageCharacters,
  type SignUpContents,
} from '../../../src/core/auth/client_signature.ts';
import {
  type VerificationClaims,
  writeVerificationToken,
} from '../../../src/core/auth/tokens/verification_token.ts';
import { concatBytes, hex, utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { derOfEcdsaSignature } from '../../../src/core/crypto/signature_der.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { fixedServiceKeys } from '../crypto/service_keys.test.ts';

const privateKey = new Uint8Array(32).fill(6);
const publicKey = hex(p256.publicKeyOf(privateKey));
const sessionKey = hex(p256.publicKeyOf(new Uint8Array(32).fill(7)));
const token: VerificationClaims = {
  id: 'eb39b199-3352-4289-b31f-57194c79609c',
  expiresAtMs: 1_782_919_651_261,
  organizationId: '7ff189fb-df7d-452e-8540-57632e380b77',
  verificationType: 'OTP_TYPE_EMAIL',
  contact: 'user@example.com',
  publicKey,
};
const verificationToken = writeVerificationToken(token, fixedServiceKeys());

function signed(message: string, key = privateKey): ClientSignature {
  const { r, s } = p256.sign(key, sha256(utf8(message)));
  return {
    publicKey,
    scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
    message,
    signature: hex(concatBytes(r, s)),
  };
}

const login = { tokenId: token.id, type: 'USAGE_TYPE_LOGIN', login: { publicKey: sessionKey } };

const contents: Required<SignUpContents> = {
  apiKeys: [
    {
      apiKeyName: 'session',
      publicKey: sessionKey,
      curveType: 'API_KEY_CURVE_P256',
      expirationSeconds: '60',
    },
  ],
  authenticators: [
    {
      authenticatorName: 'passkey',
      challenge: 'abc',
      attestation: {
        credentialId: 'id',
        clientDataJson: 'data',
        attestationObject: 'object',
        transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL', 'AUTHENTICATOR_TRANSPORT_HYBRID'],
      },
    },
  ],
  oauthProviders: [{ providerName: 'Google', oidcToken: 'a.b.c' }],
  email: 'User@example.com',
  phoneNumber: '+12025550123',
};

function refusalOf(check: () => void): string {
  try {
    check();
    return 'accepted';
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'client_signature_invalid');
    return String(error.details['reason']);
  }
}

const organizationId = '0194ab00-0000-7000-8000-000000000001';
const loginRefusal = (signature: ClientSignature, key = sessionKey) =>
  refusalOf(() => checkLoginSignature(signature, { token, publicKey: key, organizationId }));
const signUpRefusal = (signature: ClientSignature, of: SignUpContents) =>
  refusalOf(() => checkSignUpSignature(signature, { token, contents: of }));
const signUp = (usage: object, name = 'signupV2') =>
  signed(JSON.stringify({ [name]: usage, tokenId: token.id, type: 'USAGE_TYPE_SIGNUP' }));

test('the messages of the public client are accepted', () => {
  const own = getClientSignatureMessageForLogin({ verificationToken });
  assert.equal(own.publicKey, publicKey);
  assert.equal(loginRefusal(signed(own.message), publicKey), 'accepted');
  const other = getClientSignatureMessageForLogin({
    verificationToken,
    sessionPublicKey: sessionKey,
  });
  assert.equal(loginRefusal(signed(other.message)), 'accepted');
  const minimal = getClientSignatureMessageForSignup({
    verificationToken,
    email: 'user@example.com',
    apiKeys: [],
    authenticators: [],
    oauthProviders: [],
  });
  assert.equal(signUpRefusal(signed(minimal.message), { email: 'user@example.com' }), 'accepted');
});

test('equivalent signatures and messages are accepted in every form', () => {
  const message = JSON.stringify(login);
  const raw = signed(message);
  const bytes = Uint8Array.fromHex(raw.signature);
  const numbers = { r: bytes.subarray(0, 32), s: bytes.subarray(32) };
  const der = hex(derOfEcdsaSignature(numbers));
  const key = createPrivateKey({
    key: privateKey,
    format: 'raw-private',
    asymmetricKeyType: 'ec',
    namedCurve: 'P-256',
  });
  // Random nonces, and s unreduced.
  const random = nodeSign('sha256', utf8(message), { key, dsaEncoding: 'ieee-p1363' });
  const highOrLow = nodeSign('sha256', utf8(message), key);
  for (const signature of [raw.signature.toUpperCase(), der, hex(random), hex(highOrLow)]) {
    assert.equal(loginRefusal({ ...raw, signature }), 'accepted');
  }
  assert.equal(loginRefusal({ ...raw, publicKey: publicKey.toUpperCase() }), 'accepted');
  assert.equal(loginRefusal(raw, sessionKey.toUpperCase()), 'accepted');
  const { tokenId, type } = login;
  const others = [
    JSON.stringify({ type, login: login.login, tokenId }),
    JSON.stringify(login, undefined, 2),
    ` ${message}\n`,
  ];
  for (const other of others) assert.equal(loginRefusal(signed(other)), 'accepted');
  assert.equal(loginRefusal(signed(message.padEnd(maximumMessageCharacters))), 'accepted');
});

test('a signature for another login is refused with the reason', () => {
  const message = JSON.stringify(login);
  const good = signed(message);
  const { tokenId, type } = login;
  const bad: readonly (readonly [ClientSignature, RegExp])[] = [
    [{ ...good, scheme: 'SIGNATURE_SCHEME_TK_API_P256' }, /`scheme`/],
    [{ ...good, publicKey: sessionKey }, /the key of the verification token/],
    [signed(message, new Uint8Array(32).fill(7)), /not a signature of `message`/],
    [{ ...good, message: `${message} ` }, /not a signature of `message`/],
    [{ ...good, signature: '' }, /r and s of 32 bytes/],
    [{ ...good, signature: 'zz' }, /r and s of 32 bytes/],
    [{ ...good, signature: good.signature.slice(2) }, /r and s of 32 bytes/],
    [{ ...good, signature: `${good.signature}00` }, /r and s of 32 bytes/],
    [{ ...good, signature: '00'.repeat(64) }, /not a signature of `message`/],
    [signed('text'), /a JSON object/],
    [signed('[]'), /a JSON object/],
    [signed(`${message.slice(0, -1)},"type":"USAGE_TYPE_LOGIN"}`), /a JSON object/],
    [signed(JSON.stringify({ ...login, type: 'USAGE_TYPE_SIGNUP' })), /`type` of the message/],
    [signed(JSON.stringify({ ...login, type: undefined })), /`type` of the message/],
    [signed(JSON.stringify({ ...login, tokenId: 'x' })), /another verification token/],
    [signed(JSON.stringify({ ...login, signupV2: {} })), /alone/],
    [signed(JSON.stringify({ type, tokenId })), /alone/],
    [signed(JSON.stringify({ type, tokenId, signupV2: {} })), /alone/],
    [signed(JSON.stringify({ type, tokenId, login: [] })), /alone/],
    [signed(JSON.stringify({ type, tokenId, login: null })), /alone/],
    [signed(JSON.stringify({ type, tokenId, constructor: {} })), /alone/],
    [signed(JSON.stringify({ ...login, login: {} })), /`login.publicKey`/],
    [signed(JSON.stringify({ ...login, login: { publicKey } })), /`login.publicKey`/],
    [signed(JSON.stringify({ ...login, login: { publicKey: [sessionKey] } })), /`login.publicKey`/],
    [signed(JSON.stringify({ ...login, login: { ...login.login, more: 1 } })), /at most/],
    ...[organizationId.replace('1', '2'), '', 1, null].map((other) => {
      const elsewhere = { ...login.login, organizationId: other };
      return [
        signed(JSON.stringify({ ...login, login: elsewhere })),
        /`login.organizationId`/,
      ] as const;
    }),
    [signed(' '.repeat(maximumMessageCharacters + 1)), /characters/],
  ];
  for (const [signature, refusal] of bad) {
    assert.match(loginRefusal(signature), refusal, JSON.stringify(signature).slice(0, 300));
  }
  const unbound = { ...token, publicKey: 'none' };
  assert.match(
    refusalOf(() =>
      checkLoginSignature(
        { ...good, publicKey: 'none' },
        { token: unbound, publicKey: sessionKey, organizationId },
      ),
    ),
    /not bound to a P-256 public key/,
  );
});

// ENUM-12
test('a sign-up is accepted for exactly its contents', () => {
  assert.equal(signUpRefusal(signUp(contents), contents), 'accepted');
  // The older name of the usage.
  assert.equal(signUpRefusal(signUp(contents, 'signup'), contents), 'accepted');
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).toReversed();
    return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]));
  };
  assert.equal(signUpRefusal(signUp(reversed(contents) as object), contents), 'accepted');
  assert.equal(
    signUpRefusal(signUp({ ...contents, email: 'user@EXAMPLE.com' }), contents),
    'accepted',
  );
  assert.match(signUpRefusal(signUp(contents, 'login'), contents), /alone/);
  assert.match(loginRefusal(signUp(contents)), /`type` of the message/);
});

test('an empty list and an absent list are equal, on every level', () => {
  const { apiKeys } = contents;
  const without = { apiKeys };
  const withEmpty = { apiKeys, authenticators: [], oauthProviders: [] };
  assert.equal(signUpRefusal(signUp(without), withEmpty), 'accepted');
  assert.equal(signUpRefusal(signUp(withEmpty), without), 'accepted');
  assert.equal(signUpRefusal(signUp({}), {}), 'accepted');
  const [authenticator] = contents.authenticators;
  const attestation = { credentialId: 'id' };
  const inner = { authenticators: [{ ...authenticator, attestation }] };
  const innerEmpty = {
    authenticators: [{ ...authenticator, attestation: { ...attestation, transports: [] } }],
  };
  assert.equal(signUpRefusal(signUp(inner), innerEmpty), 'accepted');
  assert.equal(signUpRefusal(signUp(innerEmpty), inner), 'accepted');
});

test('any difference between message and request is refused with the member', () => {
  const bad: readonly (readonly [string, object])[] = [
    ['email', { email: 'other@example.com' }],
    ['email', { email: undefined }],
    ['email', { email: ['user@example.com'] }],
    ['phoneNumber', { phoneNumber: '+12025550124' }],
    ['phoneNumber', { phoneNumber: '' }],
    ['apiKeys', { apiKeys: [] }],
    ['apiKeys', { apiKeys: [...contents.apiKeys, ...contents.apiKeys] }],
    ['apiKeys', { apiKeys: [{ ...contents.apiKeys[0], expirationSeconds: 60 }] }],
    ['apiKeys', { apiKeys: [{ ...contents.apiKeys[0], more: null }] }],
    ['apiKeys', { apiKeys: [{ ...contents.apiKeys[0], apiKeyName: undefined }] }],
    ['apiKeys', { apiKeys: { 0: contents.apiKeys[0] } }],
    ['apiKeys', { apiKeys: { 0: contents.apiKeys[0], length: 1 } }],
    ['oauthProviders', { oauthProviders: [{ providerName: 'Google', oidcToken: 'a.b.d' }] }],
    ['userName', { userName: 'somebody' }],
    ['constructor', { constructor: 1 }],
    ['__proto__', JSON.parse('{"__proto__":{"email":"x"}}')],
  ];
  for (const [member, change] of bad) {
    const altered = { ...contents };
    for (const [name, value] of Object.entries(change)) {
      Object.defineProperty(altered, name, { value, enumerable: true });
    }
    assert.match(signUpRefusal(signUp(altered), contents), new RegExp(`\`${member}\``), member);
  }
  const swapped = JSON.stringify(contents).replace(
    '"AUTHENTICATOR_TRANSPORT_INTERNAL","AUTHENTICATOR_TRANSPORT_HYBRID"',
    '"AUTHENTICATOR_TRANSPORT_HYBRID","AUTHENTICATOR_TRANSPORT_INTERNAL"',
  );
  assert.notEqual(swapped, JSON.stringify(contents));
  assert.match(signUpRefusal(signUp(JSON.parse(swapped)), contents), /`authenticators`/);
  // One of the two transports is unchanged.
  const other = JSON.stringify(contents).replace('"AUTHENTICATOR_TRANSPORT_HYBRID"', '"other"');
  assert.notEqual(other, JSON.stringify(contents));
  assert.match(signUpRefusal(signUp(JSON.parse(other)), contents), /`authenticators`/);
});

test('a deeply nested message is refused', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const message = `{"type":"USAGE_TYPE_SIGNUP","tokenId":"${token.id}","signupV2":{"apiKeys":${deep}}}`;
  assert.match(signUpRefusal(signed(message), contents), /a JSON object/);
});

test('a changed character anywhere in message or signature is refused', () => {
  const good = signed(JSON.stringify(login));
  fc.assert(
    fc.property(
      fc.constantFrom('message' as const, 'signature' as const),
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (member, place, character) => {
        const text = good[member];
        const at = place % text.length;
        const isSame =
          member === 'message' ? text[at] === character : isSameHex(text[at], character);
        if (isSame) return;
        const altered = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        assert.notEqual(loginRefusal({ ...good, [member]: altered }), 'accepted', altered);
      },
    ),
    { numRuns: 300 },
  );
});

function isSameHex(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}
