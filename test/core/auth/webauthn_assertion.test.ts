import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import {
  stampChallenge,
  verifyAssertion,
  verifyAssertionOfChallenge,
} from '../../../src/core/auth/webauthn/assertion.ts';
import { readRegistration } from '../../../src/core/auth/webauthn/registration.ts';
import { parseWebAuthnStamp } from '../../../src/core/auth/webauthn/stamp.ts';
import { base64url, concatBytes, utf8 } from '../../../src/core/base/bytes.ts';
import { type ErrorCode, ServiceError } from '../../../src/core/errors/errors.ts';
import {
  authenticatorFlags,
  type Ceremony,
  createSoftwareAuthenticator,
} from '../../support/software_authenticator.ts';
import { assertionOf, registrationOf, w3c } from './webauthn_vectors.ts';

const body = utf8('{"type":"ACTIVITY_TYPE_CREATE_WALLET","timestampMs":"1"}');
const passkeys = {
  ES256: createSoftwareAuthenticator({ seed: 'alice' }),
  RS256: createSoftwareAuthenticator({ seed: 'alice', algorithm: 'RS256' }),
};
const { ES256: passkey } = passkeys;
const origin = 'http://localhost:3000';

const credentialOf = ({
  publicKey,
  rpIdHash,
}: {
  publicKey: Uint8Array;
  rpIdHash: Uint8Array;
}) => ({
  publicKey: base64url(publicKey),
  rpIdHash: base64url(rpIdHash),
});
const credential = credentialOf(passkey);

type Asked = Partial<Parameters<typeof verifyAssertion>[0]>;

const stampOf = (ceremony: Ceremony = {}) => parseWebAuthnStamp(passkey.stamp(body, ceremony));

function verify(of: Asked): void {
  verifyAssertion({ stamp: stampOf(), body, credential, allowedOrigins: undefined, ...of });
}

function refusalOf(of: Asked, code: ErrorCode = 'webauthn_signature_invalid'): string {
  try {
    verify(of);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code);
    return error.message;
  }
  return assert.fail('accepted');
}

// Published by a client for the body that it stamps.
test('the challenge of a body is the hex text of its hash', () => {
  const published = utf8(
    '{"organization_id": "1234", "type": "ACTIVITY_TYPE_CREATE_API_KEYS", "params": {"for": "example"}}',
  );
  assert.equal(
    stampChallenge(published),
    'MjBmOTk3NTQyNzVmM2QzMjFiMGVhYjFkMGU3ZmEwYjQyMDdiMDhmZDVmYjY5NGZhNjExNjM1ZmYwOGEwYmQ4ZA',
  );
});

// AUTH-04
for (const [algorithm, device] of Object.entries(passkeys)) {
  test(`a passkey of ${algorithm} signs a body, and no other`, () => {
    const stamp = parseWebAuthnStamp(device.stamp(body));
    const of = { stamp, credential: credentialOf(device) };
    verify(of);
    const changed = Uint8Array.from(body);
    changed[0] = 0x20;
    for (const other of [changed, body.subarray(1), new Uint8Array(0), concatBytes(body, body)]) {
      assert.match(refusalOf({ ...of, body: other }), /challenge .* not that of this body/);
    }
  });
}

for (const vector of w3c.accepted) {
  test(`the assertion ${vector.name} of Web Authentication Level 3 verifies`, () => {
    const { publicKey, rpIdHash } = readRegistration(registrationOf(vector), 'field', undefined);
    const { stamp, challenge } = assertionOf(vector);
    const of = {
      stamp,
      challenge,
      credential: { publicKey, rpIdHash },
      allowedOrigins: [w3c.origin],
    };
    verifyAssertionOfChallenge(of);
    assert.throws(
      () => verifyAssertionOfChallenge({ ...of, challenge: base64url(new Uint8Array(32)) }),
      /challenge/,
    );
    for (const other of w3c.accepted) {
      if (other === vector) continue;
      const stamps = { ...stamp, signature: assertionOf(other).stamp.signature };
      assert.throws(
        () => verifyAssertionOfChallenge({ ...of, stamp: stamps }),
        /the signature is not that of the registered passkey/,
      );
    }
  });
}

const accepted: Readonly<Record<string, Ceremony>> = {
  'nobody verified': { flags: authenticatorFlags.userPresent },
  'a key that is backed up': {
    flags:
      authenticatorFlags.userPresent |
      authenticatorFlags.backupEligible |
      authenticatorFlags.backedUp,
  },
  'reserved flags': { flags: authenticatorFlags.userPresent | 0x22 },
  'a counter': { signCount: 4_294_967_295 },
  extensions: { extensions: new Map([['hmac-secret', Uint8Array.of(1, 2, 3)]]) },
  'a page in a frame': { clientData: { crossOrigin: true, topOrigin: 'https://other.example' } },
  'further client data': { clientData: { other_keys_can_be_added_here: 'do not compare' } },
  'a padded challenge': { challenge: `${stampChallenge(body)}==` },
  'any origin, since there is no list': { origin: 'android:apk-key-hash:AAAA' },
};

for (const [what, ceremony] of Object.entries(accepted)) {
  test(`an assertion is accepted with ${what}`, () => {
    verify({ stamp: stampOf(ceremony) });
  });
}

const refused: Readonly<Record<string, readonly [Ceremony, RegExp]>> = {
  'the type of a registration': [{ type: 'webauthn.create' }, /of the type `webauthn.get`/],
  'the type of a payment': [{ type: 'payment.get' }, /of the type `webauthn.get`/],
  'another challenge': [{ challenge: 'AAAA' }, /not that of this body/],
  'the hash itself as challenge': [
    { challenge: Buffer.from(stampChallenge(body), 'base64url').toString() },
    /not that of this body/,
  ],
  'three characters of padding': [
    { challenge: `${stampChallenge(body)}===` },
    /not that of this body/,
  ],
  'another relying party': [{ rpId: 'other.example' }, /another relying party id/],
  'nobody present': [{ flags: authenticatorFlags.userVerified }, /user-present flag is not set/],
  'a key that is backed up and not eligible for it': [
    { flags: authenticatorFlags.userPresent | authenticatorFlags.backedUp },
    /backed up and not eligible/,
  ],
  'the flag of a credential that is not there': [
    { flags: authenticatorFlags.userPresent | authenticatorFlags.attestedCredential },
    /a credential in the authenticator data/,
  ],
  'the flag of extensions that are not there': [
    { flags: authenticatorFlags.userPresent | authenticatorFlags.extensions },
    /extensions of the authenticator data as a CBOR map/,
  ],
};

for (const [what, [ceremony, reason]] of Object.entries(refused)) {
  test(`an assertion is refused with ${what}`, () => {
    const message = refusalOf({ stamp: stampOf(ceremony) });
    assert.match(message, /^could not verify WebAuthN signature: /);
    assert.match(message, reason);
  });
}

test('client data is a JSON object in UTF-8 whose members are text', () => {
  const { challenge } = { challenge: stampChallenge(body) };
  const wrong: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(0), /a JSON object/],
    [utf8('[]'), /a JSON object/],
    [utf8('null'), /a JSON object/],
    [utf8('\ufeff{}'), /a JSON object/],
    [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x30, 0x7d), /a JSON object/],
    [utf8('{}'), /`type` of the client data as text/],
    [utf8('{"__proto__":{"type":"webauthn.get"}}'), /`type` of the client data as text/],
    [utf8('{"type":["webauthn.get"]}'), /`type` of the client data as text/],
    [utf8('{"type":"webauthn.get","challenge":1}'), /`challenge` of the client data as text/],
    [utf8(`{"type":"webauthn.get","challenge":"${challenge}"}`), /`origin` of the client data/],
  ];
  for (const [clientDataJson, reason] of wrong) {
    assert.match(refusalOf({ stamp: { ...stampOf(), clientDataJson } }), reason);
  }
});

test('authenticator data ends at its stated length', () => {
  const stamp = stampOf();
  for (const length of [0, 32, 36]) {
    const authenticatorData = stamp.authenticatorData.slice(0, length);
    assert.match(refusalOf({ stamp: { ...stamp, authenticatorData } }), /at least 37 bytes/);
  }
  const authenticatorData = concatBytes(stamp.authenticatorData, Uint8Array.of(0xa0));
  assert.match(refusalOf({ stamp: { ...stamp, authenticatorData } }), /nothing behind .* 1 bytes/);
});

test('a signature may have a high s and superfluous zeros, and no other deviation', () => {
  const stamp = stampOf();
  const { r, s } = p256.Signature.fromBytes(stamp.signature, 'der');
  const other = new p256.Signature(r, p256.Point.Fn.ORDER - s);
  verify({ stamp: { ...stamp, signature: other.toBytes('der') } });
  const integer = (of: bigint) => {
    const bytes = Buffer.from(`00${of.toString(16).padStart(64, '0')}`, 'hex');
    return concatBytes(Uint8Array.of(2, 33), bytes);
  };
  const numbers = concatBytes(integer(r), integer(s));
  verify({ stamp: { ...stamp, signature: concatBytes(Uint8Array.of(0x30, 70), numbers) } });
  const wrong: readonly Uint8Array[] = [
    new Uint8Array(0),
    other.toBytes('compact'),
    concatBytes(stamp.signature, Uint8Array.of(0)),
    stamp.signature.subarray(1),
    stamp.signature.subarray(0, -1),
    concatBytes(Uint8Array.of(0x30, 0x81, 70), numbers),
  ];
  for (const signature of wrong) {
    assert.match(refusalOf({ stamp: { ...stamp, signature } }), /the signature is not that/);
  }
});

test('a signature of RS256 is as long as the modulus', () => {
  const stamp = parseWebAuthnStamp(passkeys.RS256.stamp(body));
  const of = (signature: Uint8Array) => ({
    stamp: { ...stamp, signature },
    credential: credentialOf(passkeys.RS256),
  });
  const { signature } = stamp;
  const wrong = [
    new Uint8Array(0),
    signature.subarray(1),
    signature.subarray(0, -1),
    concatBytes(Uint8Array.of(0), signature),
    concatBytes(signature, Uint8Array.of(0)),
    new Uint8Array(signature.length),
    new Uint8Array(signature.length).fill(0xff),
  ];
  for (const each of wrong) assert.match(refusalOf(of(each)), /the signature is not that/);
});

test('a passkey does not sign for another', () => {
  const others = [createSoftwareAuthenticator({ seed: 'bob' }), passkeys.RS256];
  for (const other of others) {
    assert.match(refusalOf({ credential: credentialOf(other) }), /the signature is not that/);
  }
});

test('an origin outside of the list is refused with the list', () => {
  const allowedOrigins = ['https://wallet.example', 'https://www.wallet.example'];
  verify({ allowedOrigins: [...allowedOrigins, origin] });
  const message = refusalOf({ allowedOrigins }, 'webauthn_origin_not_allowed');
  assert.match(message, /`http:\/\/localhost:3000`/);
  assert.match(message, /one of https:\/\/wallet\.example, https:\/\/www\.wallet\.example$/);
  const near = ['HTTP://LOCALHOST:3000', `${origin}/`, 'http://localhost', `${origin} `, ''];
  for (const each of near) refusalOf({ allowedOrigins: [each] }, 'webauthn_origin_not_allowed');
  refusalOf({ allowedOrigins: [] }, 'webauthn_origin_not_allowed');
});

test('a stranger learns neither origins nor registered passkeys', () => {
  const signature = createSoftwareAuthenticator({ seed: 'mallory' }).assertion('').signature;
  const ceremonies: readonly Ceremony[] = [
    {},
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { flags: 0 },
  ];
  const messages = ceremonies.map((ceremony) =>
    refusalOf({
      stamp: { ...stampOf(ceremony), signature },
      allowedOrigins: ['https://wallet.example'],
    }),
  );
  assert.equal(new Set(messages).size, 1);
  assert.match(messages[0] ?? '', /the signature is not that of the registered passkey/);
});

test('a stored key that registration no longer accepts is an internal error', () => {
  for (const publicKey of ['', '!', base64url(passkey.publicKey.subarray(1))]) {
    assert.throws(() => verify({ credential: { ...credential, publicKey } }), /assertion failed/);
  }
});
