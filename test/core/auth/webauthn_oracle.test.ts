// Compares registrations and assertions with another implementation, @simplewebauthn/server.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { verifyAssertionOfChallenge } from '../../../src/core/auth/webauthn/assertion.ts';
import {
  type Registration,
  readRegistration,
} from '../../../src/core/auth/webauthn/registration.ts';
import { base64url } from '../../../src/core/base/bytes.ts';
import {
  authenticatorFlags,
  type Ceremony,
  createSoftwareAuthenticator,
  type SoftwareAssertion,
} from '../../support/software_authenticator.ts';
import { assertionOf, captured, registrationOf, w3c } from './webauthn_vectors.ts';

type Place = { readonly rpId: string; readonly origin: string };

async function oracleRegistration({ challenge, attestation }: Registration, place: Place) {
  const { credentialId, clientDataJson, attestationObject } = attestation;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: { clientDataJSON: clientDataJson, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpId,
    requireUserVerification: false,
  });
  assert.ok(verified && registrationInfo !== undefined);
  const { credential, fmt, aaguid } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: base64url(credential.publicKey),
    attestationType: fmt,
    aaguid: Buffer.from(aaguid.replaceAll('-', ''), 'hex').toString('base64url'),
  };
}

async function oracleAssertion(
  stamp: SoftwareAssertion,
  challenge: string,
  credential: { credentialId: string; publicKey: string },
  place: Place,
): Promise<boolean> {
  const { verified } = await verifyAuthenticationResponse({
    response: {
      id: credential.credentialId,
      rawId: credential.credentialId,
      type: 'public-key',
      response: {
        authenticatorData: base64url(stamp.authenticatorData),
        clientDataJSON: base64url(stamp.clientDataJson),
        signature: base64url(stamp.signature),
      },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpId,
    // The library requires the origins that may frame the page; this service leaves that to the page.
    expectedTopOrigin: ['https://example.com', 'https://top.example'],
    credential: {
      id: credential.credentialId,
      publicKey: Uint8Array.from(Buffer.from(credential.publicKey, 'base64url')),
      counter: 0,
    },
    requireUserVerification: false,
  });
  return verified;
}

const registrations = [
  { name: 'captured', of: captured, rpId: 'localhost', origin: 'http://localhost:4433' },
  ...w3c.accepted.map((vector) => ({ name: vector.name, of: registrationOf(vector), ...w3c })),
];

for (const { name, of, ...place } of registrations) {
  // The library also verifies the attestation statement, which shows that the vector is intact.
  test(`the other implementation reads the registration ${name} alike`, async () => {
    const read = readRegistration(of, 'field', [place.origin]);
    const { credentialId, publicKey, attestationType, aaguid } = read;
    assert.deepEqual(
      { credentialId, publicKey, attestationType, aaguid },
      await oracleRegistration(of, place),
    );
  });
}

for (const vector of w3c.accepted) {
  test(`the other implementation verifies the assertion ${vector.name}`, async () => {
    const { stamp, challenge } = assertionOf(vector);
    const { credentialId, publicKey } = readRegistration(
      registrationOf(vector),
      'field',
      undefined,
    );
    assert.ok(await oracleAssertion(stamp, challenge, { credentialId, publicKey }, w3c));
  });
}

const { userPresent, userVerified, backupEligible, backedUp } = authenticatorFlags;

/** Variants of a ceremony; both implementations refuse some of them. */
const ceremonies: readonly Ceremony[] = [
  {},
  { flags: userPresent },
  { flags: userPresent | backupEligible },
  { flags: userPresent | userVerified | backupEligible | backedUp },
  { signCount: 77 },
  { extensions: new Map([['credProps', true]]) },
  { clientData: { crossOrigin: true, topOrigin: 'https://top.example' } },
  { clientData: { later: { a: [1] } } },
  { flags: userVerified },
  { rpId: 'other.example' },
  { origin: 'https://other.example' },
  { type: 'webauthn.create' },
  { challenge: 'AAAA' },
];

const rsaKeys = [2048, 3072, 4096].map(
  (modulusLength) => generateKeyPairSync('rsa', { modulusLength }).privateKey,
);

const devices = Array.from({ length: 12 }, (_, i) => {
  const place = { rpId: `wallet${i}.example`, origin: `https://app.wallet${i}.example` };
  const rsaKey = rsaKeys[i];
  const algorithm = rsaKey === undefined ? 'ES256' : 'RS256';
  const aaguid = new Uint8Array(16).fill(i);
  const credentialIdBytes = 16 + 20 * i;
  const options = { seed: `oracle ${i}`, algorithm, aaguid, credentialIdBytes } as const;
  const device = createSoftwareAuthenticator({
    ...options,
    ...place,
    ...(rsaKey === undefined ? {} : { rsaKey }),
  });
  return { device, place, name: `${algorithm} ${i}` };
});

for (const { device, place, name } of devices) {
  test(`both implementations judge own registrations and assertions of ${name} alike`, async () => {
    const registration = device.register();
    const read = readRegistration(registration, 'field', [place.origin]);
    const { credentialId, publicKey, attestationType, aaguid } = read;
    const told = await oracleRegistration(registration, place);
    assert.deepEqual({ credentialId, publicKey, attestationType, aaguid }, told);

    const challenge = base64url(device.credentialId);
    const verdicts = new Set<boolean>();
    for (const ceremony of ceremonies) {
      const made = device.assertion(challenge, ceremony);
      const damaged = Uint8Array.from(made.signature);
      const at = damaged.length - 2;
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      for (const stamp of [made, { ...made, signature: damaged }]) {
        const ours = isAccepted(() =>
          verifyAssertionOfChallenge({
            stamp,
            challenge,
            credential: read,
            allowedOrigins: [place.origin],
          }),
        );
        const theirs = await oracleAssertion(stamp, challenge, read, place).catch(() => false);
        assert.equal(ours, theirs, JSON.stringify(ceremony));
        verdicts.add(ours);
      }
    }
    assert.equal(verdicts.size, 2);
  });
}

function isAccepted(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    // All reasons of a refusal count alike.
    return false;
  }
}
