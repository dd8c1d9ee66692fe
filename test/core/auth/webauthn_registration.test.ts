import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CBORType, decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import {
  type Registration,
  readRegistration,
} from '../../../src/core/auth/webauthn/registration.ts';
import { base64url, bytesOfBase64url, concatBytes, utf8 } from '../../../src/core/base/bytes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import {
  attestationObjectOf,
  authenticatorFlags,
  createSoftwareAuthenticator,
} from '../../support/software_authenticator.ts';
import { captured, hexBytes, registrationOf, w3c } from './webauthn_vectors.ts';

const field = 'parameters.authenticators.0';
const passkey = createSoftwareAuthenticator({ seed: 'alice' });

type Changes = Partial<Registration['attestation']> & { challenge?: string };

const changed = (of: Registration, { challenge, ...attestation }: Changes): Registration => ({
  challenge: challenge ?? of.challenge,
  attestation: { ...of.attestation, ...attestation },
});

function refusalOf(registration: Registration, origins?: readonly string[]): readonly string[] {
  try {
    readRegistration(registration, field, origins);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'field_invalid');
    const [violation] = error.fieldViolations;
    assert.ok(violation !== undefined);
    assert.match(violation.description, /^invalid authenticator attestation: /);
    assert.ok(violation.field.startsWith(`${field}.`));
    return [violation.field.slice(field.length + 1), violation.description];
  }
  return assert.fail('accepted');
}

function assertRefused(
  registration: Registration,
  member: string,
  reason: RegExp,
  origins?: readonly string[],
): void {
  const [where, why] = refusalOf(registration, origins);
  assert.equal(where, member);
  assert.match(why ?? '', reason);
}

// RES-AUTHENTICATOR-02 to RES-AUTHENTICATOR-07
test('a captured registration is read', () => {
  const expected = {
    credentialId: 'RYNS2Uragga8xm1Mk6o8nd7Qvt_LbfukOyaaBfqVmCY',
    publicKey:
      'pQECAyYgASFYIH_KBmEEIjmE8GQ8Q2jZMN_Bz4YNHc2eLtdBF_i4dFzDIlggY00UuJq97lcCWVrNjqssBvX_8QCqecIYGaS8m1UdSH0',
    aaguid: 'rc4AAjW8xgpkiwsl8fBVAw',
    attestationType: 'none',
    rpIdHash: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M',
    model: 'Google Chrome Mac Touch ID',
    transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
  };
  assert.deepEqual(readRegistration(captured, field, undefined), expected);
  assert.deepEqual(readRegistration(captured, field, ['http://localhost:4433']), expected);
  assert.equal(base64url(createSoftwareAuthenticator({ seed: '' }).rpIdHash), expected.rpIdHash);
});

for (const vector of w3c.accepted) {
  test(`the registration ${vector.name} of Web Authentication Level 3 is read`, () => {
    const registration = registrationOf(vector);
    const read = readRegistration(registration, field, [w3c.origin]);
    assert.equal(read.credentialId, registration.attestation.credentialId);
    assert.equal(read.attestationType, vector.name.split(/[-.]/)[0]);
    assert.equal(read.model, 'Unknown authenticator');
  });
}

for (const { name, algorithm, authData } of w3c.refused) {
  test(`the registration ${name} of Web Authentication Level 3 is refused for its algorithm`, () => {
    const authenticatorData = hexBytes(authData);
    const registration = changed(passkey.register(), {
      credentialId: base64url(authenticatorData.slice(55, 87)),
      attestationObject: base64url(attestationObjectOf(authenticatorData)),
    });
    const reason = new RegExp(`to be ES256 \\(-7\\) or RS256 \\(-257\\), got ${algorithm}`);
    assertRefused(registration, 'attestation.attestationObject', reason);
  });
}

test('keys of both algorithms are registered', () => {
  for (const algorithm of ['ES256', 'RS256'] as const) {
    const device = createSoftwareAuthenticator({ seed: 'alice', algorithm });
    const read = readRegistration(device.register(), field, undefined);
    assert.equal(read.credentialId, base64url(device.credentialId));
    assert.equal(read.publicKey, base64url(device.publicKey));
    assert.equal(read.rpIdHash, base64url(device.rpIdHash));
  }
});

test('a model has a name, or a text for an unknown model', () => {
  const modelOf = (aaguid: Uint8Array) =>
    readRegistration(
      createSoftwareAuthenticator({ seed: 'a', aaguid }).register(),
      field,
      undefined,
    ).model;
  assert.equal(modelOf(new Uint8Array(16)), 'Unnamed authenticator');
  assert.equal(modelOf(new Uint8Array(16).fill(1)), 'Unknown authenticator');
  assert.equal(modelOf(hexBytes('fbfc3007154e4ecc8c0b6e020557d7bd')), 'Apple Passwords');
  assert.equal(modelOf(hexBytes('d548826e79b4db40a3d811116f7e8349')), 'Bitwarden');
  assert.equal(modelOf(hexBytes('2fc0579f811347eab116bb5a8db9202a')), 'YubiKey 5 Series with NFC');
});

test('the challenge is compared as text in each encoding, except for padding', () => {
  const asHex = 'ab'.repeat(32);
  readRegistration(passkey.register({ challenge: asHex }), field, undefined);
  const { challenge } = captured;
  readRegistration(changed(captured, { challenge: `${challenge}=` }), field, undefined);
  for (const other of ['', 'x', challenge.toLowerCase(), `${challenge}A`, challenge.slice(1)]) {
    assertRefused(changed(captured, { challenge: other }), 'challenge', /the client data repeats/);
  }
});

test('an origin outside of the list is refused with the list', () => {
  const reason = /one of https:\/\/a\.example, https:\/\/b\.example, got `http:\/\/localhost:4433`/;
  assertRefused(captured, 'attestation.clientDataJson', reason, [
    'https://a.example',
    'https://b.example',
  ]);
});

const cborBytes = (bytes: Uint8Array) => base64url(encodeCBOR(bytes));

test('the credential id must equal the id in the authenticator data, raw or wrapped in CBOR', () => {
  const { credentialId } = captured.attestation;
  const id = bytesOfBase64url(credentialId) ?? assert.fail();
  for (const spelling of [credentialId, `${credentialId}=`, cborBytes(id)]) {
    const read = readRegistration(changed(captured, { credentialId: spelling }), field, undefined);
    assert.equal(read.credentialId, credentialId);
  }
  const wrong = [
    '',
    base64url(id.slice(1)),
    base64url(concatBytes(id, Uint8Array.of(0))),
    cborBytes(id.slice(1)),
    base64url(Uint8Array.of(0x59, 0, 32, ...id)),
    base64url(encodeCBOR([id])),
    base64url(encodeCBOR(credentialId)),
    base64url(concatBytes(encodeCBOR(id), Uint8Array.of(0))),
    base64url(encodeCBOR(encodeCBOR(id))),
  ];
  for (const spelling of wrong) {
    assertRefused(
      changed(captured, { credentialId: spelling }),
      'attestation.credentialId',
      /the id that `attestationObject` holds/,
    );
  }
});

test('an id may have 1 to 1023 bytes', () => {
  const of = (credentialIdBytes: number) =>
    createSoftwareAuthenticator({ seed: 'a', credentialIdBytes }).register();
  for (const bytes of [1, 16, 192, 1023]) readRegistration(of(bytes), field, undefined);
  for (const bytes of [0, 1024, 65535]) {
    assertRefused(of(bytes), 'attestation.attestationObject', /a credential id of 1 to 1023 bytes/);
  }
});

for (const member of ['credentialId', 'clientDataJson', 'attestationObject'] as const) {
  test(`${member} is base64url`, () => {
    for (const wrong of ['!', 'A', `${captured.attestation[member]}?`]) {
      const path = `attestation.${member}`;
      assertRefused(changed(captured, { [member]: wrong }), path, /expected base64url/);
    }
  });
}

test('client data must have the type of a registration', () => {
  const path = 'attestation.clientDataJson';
  assertRefused(passkey.register({ type: 'webauthn.get' }), path, /type `webauthn.create`/);
  for (const text of ['', '[]', '{', '{"type":1}', '\ufeff{}']) {
    assertRefused(
      changed(captured, { clientDataJson: base64url(utf8(text)) }),
      path,
      /client data/,
    );
  }
});

test('any attestation format is stored by its name, its statement unread', () => {
  const statement = new Map<string, CBORType>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array(500)]],
  ]);
  for (const format of ['none', 'packed', 'tpm', 'android-key', 'apple', 'new-one-of-2031']) {
    const read = readRegistration(passkey.register({ format, statement }), field, undefined);
    assert.equal(read.attestationType, format);
  }
  for (const format of ['', 'a b', 'é', '"', '\\', '\n', 'a'.repeat(33)]) {
    assertRefused(
      passkey.register({ format }),
      'attestation.attestationObject',
      /`fmt` as the name of a format/,
    );
  }
});

test('flags must state a present user and an attested credential', () => {
  const { userPresent, userVerified, attestedCredential, extensions } = authenticatorFlags;
  const path = 'attestation.attestationObject';
  const of = (flags: number) => passkey.register({ flags });
  readRegistration(of(userPresent | attestedCredential), field, undefined);
  assertRefused(of(userVerified | attestedCredential), path, /user-present flag is not set/);
  assertRefused(of(userPresent | userVerified), path, /to hold a credential/);
  assertRefused(of(userPresent | attestedCredential | extensions), path, /extensions .* CBOR map/);
});

test('extensions are a map at the end', () => {
  const register = () => passkey.register({ extensions: new Map([['credProtect', 2]]) });
  const read = readRegistration(register(), field, undefined);
  assert.equal(read.publicKey, base64url(passkey.publicKey));
  const { attestationObject } = register().attestation;
  const object = decodeCBOR(bytesOfBase64url(attestationObject) ?? assert.fail()) as Map<
    string,
    CBORType
  >;
  const data = object.get('authData') as Uint8Array;
  const of = (authenticatorData: Uint8Array) =>
    changed(register(), {
      attestationObject: base64url(attestationObjectOf(authenticatorData)),
    });
  const path = 'attestation.attestationObject';
  assertRefused(of(concatBytes(data, Uint8Array.of(0xa0))), path, /extensions .* as a CBOR map/);
  assertRefused(of(data.slice(0, -1)), path, /extensions .* as a CBOR map/);
});

const object = (entries: readonly (readonly [string | number, CBORType])[]) =>
  changed(captured, { attestationObject: base64url(encodeCBOR(new Map(entries))) });

test('an attestation object is a map of its three members', () => {
  const path = 'attestation.attestationObject';
  const data = new Uint8Array(37);
  const bytes = bytesOfBase64url(captured.attestation.attestationObject) ?? assert.fail();
  const of = (wrong: Uint8Array) => changed(captured, { attestationObject: base64url(wrong) });
  const noMap = [
    new Uint8Array(0),
    Uint8Array.of(0x80),
    bytes.slice(0, -1),
    concatBytes(bytes, Uint8Array.of(0)),
    Uint8Array.of(0xbf, ...bytes.slice(1)),
    Uint8Array.of(0xbc, 3, ...bytes.slice(1)),
    Uint8Array.of(0xa4, ...bytes.slice(1), 0x63, 0x66, 0x6d, 0x74, 0x60),
    new Uint8Array(49_152).fill(0x81),
  ];
  for (const wrong of noMap) assertRefused(of(wrong), path, /a CBOR map with each name once/);
  assertRefused(object([]), path, /`fmt`/);
  assertRefused(object([['fmt', 7]]), path, /`fmt`/);
  assertRefused(object([['fmt', 'none']]), path, /`attStmt` as a map/);
  assertRefused(
    object([
      ['fmt', 'none'],
      ['attStmt', []],
    ]),
    path,
    /`attStmt` as a map/,
  );
  const start = [
    ['fmt', 'none'],
    ['attStmt', new Map()],
  ] as const;
  assertRefused(object(start), path, /`authData` as bytes/);
  assertRefused(object([...start, ['authData', 'text']]), path, /`authData` as bytes/);
  assertRefused(object([...start, ['authData', [...data]]]), path, /`authData` as bytes/);
  assertRefused(object([...start, ['authData', data.slice(1)]]), path, /at least 37 bytes/);
  assertRefused(object([...start, ['authData', data]]), path, /user-present flag is not set/);
});

test('an attestation object in any well-formed CBOR is read, with the same passkey', () => {
  const bytes = bytesOfBase64url(captured.attestation.attestationObject) ?? assert.fail();
  const { authData } = Object.fromEntries(decodeCBOR(bytes) as Map<string, Uint8Array>);
  assert.ok(authData instanceof Uint8Array && authData.length < 256);
  const name = (text: string) => [0x60 + text.length, ...utf8(text)];
  const head = [...name('fmt'), ...name('none'), ...name('attStmt'), 0xa0, ...name('authData')];
  const spellings: readonly (readonly number[])[] = [
    [0xa3, ...head, 0x58, authData.length, ...authData],
    // Lengths in two bytes, as in `59 00 a4`, in four and in eight.
    [0xa3, ...head, 0x59, 0, authData.length, ...authData],
    [0xa3, ...head, 0x5a, 0, 0, 0, authData.length, ...authData],
    [0xa3, ...head, 0x5b, ...new Uint8Array(7), authData.length, ...authData],
    // Heads of maps in two and three bytes, and maps and strings of indefinite length.
    [0xb8, 3, ...head, 0x58, authData.length, ...authData],
    [0xb9, 0, 3, ...head, 0x58, authData.length, ...authData],
    [0xbf, ...head, 0x58, authData.length, ...authData, 0xff],
    [
      0xbf,
      ...head,
      0x5f,
      0x58,
      30,
      ...authData.subarray(0, 30),
      0x58,
      authData.length - 30,
      ...authData.subarray(30),
      0xff,
      0xff,
    ],
    [
      0xa3,
      0x7f,
      0x61,
      0x66,
      0x62,
      0x6d,
      0x74,
      0xff,
      ...name('none'),
      ...name('attStmt'),
      0xbf,
      0xff,
      ...name('authData'),
      0x58,
      authData.length,
      ...authData,
    ],
  ];
  const expected = readRegistration(captured, field, undefined);
  for (const spelling of spellings) {
    const attestationObject = base64url(Uint8Array.from(spelling));
    assert.deepEqual(
      readRegistration(changed(captured, { attestationObject }), field, undefined),
      expected,
    );
  }
});

// Web Authentication Level 3, section 7.1: a credential that is not backup eligible cannot be backed up.
test('a passkey that is backed up without being eligible for it is refused', () => {
  const { userPresent, attestedCredential } = authenticatorFlags;
  const flagsOf = (flags: number) => {
    const bytes = bytesOfBase64url(captured.attestation.attestationObject) ?? assert.fail();
    const members = decodeCBOR(bytes) as Map<string, Uint8Array>;
    const authData = Uint8Array.from(members.get('authData') ?? assert.fail());
    authData[32] = flags | userPresent | attestedCredential;
    const attestationObject = base64url(encodeCBOR(new Map([...members, ['authData', authData]])));
    return changed(captured, { attestationObject });
  };
  const [eligible, backedUp] = [0x08, 0x10];
  assertRefused(flagsOf(backedUp), 'attestation.attestationObject', /backed up and not eligible/);
  for (const flags of [0, eligible, eligible | backedUp]) {
    readRegistration(flagsOf(flags), field, undefined);
  }
});
