// Reads the passkey of a registration without checks, for a sign-up that looks up the passkey.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registeredPasskey } from '../../../src/core/auth/webauthn/registration.ts';
import { base64url } from '../../../src/core/base/bytes.ts';
import {
  authenticatorFlags,
  createSoftwareAuthenticator,
} from '../../support/software_authenticator.ts';

const passkey = createSoftwareAuthenticator({ seed: 'alice' });

test('the passkey of a registration is its id and its key', () => {
  assert.deepEqual(registeredPasskey(passkey.register().attestation), {
    credentialId: base64url(passkey.credentialId),
    publicKey: base64url(passkey.publicKey),
  });
});

test('an unreadable registration, or one without a credential, has no passkey', () => {
  const { userPresent } = authenticatorFlags;
  const without = passkey.register({ flags: userPresent }).attestation;
  assert.equal(registeredPasskey(without), undefined);
  for (const attestationObject of ['', '!', 'oA']) {
    assert.equal(registeredPasskey({ attestationObject }), undefined);
  }
});

test('an internal error is not an unreadable registration', () => {
  const failing = {
    toString: () => {
      throw new RangeError('failed');
    },
  };
  const attestationObject = failing as unknown as string;
  assert.throws(() => registeredPasskey({ attestationObject }), RangeError);
});
