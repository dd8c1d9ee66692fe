// Authenticator data, changed one bit and one length at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuthenticatorData } from '../../../src/core/auth/webauthn/authenticator_data.ts';
import { concatBytes } from '../../../src/core/base/bytes.ts';
import { failField } from '../../../src/core/errors/errors.ts';

const read = (flags: number, rest = new Uint8Array(0)) => {
  const bytes = concatBytes(new Uint8Array(32).fill(7), Uint8Array.of(flags, 0, 0, 1, 2), rest);
  return readAuthenticatorData(bytes, (reason) => failField('data', reason));
};

// Web Authentication Level 3, section 6.1, table 2.
test('each flag is one bit of its byte', () => {
  const names = { userPresent: 0, userVerified: 2, backupEligible: 3, backedUp: 4 };
  const none = Object.keys(read(0).flags).map((name) => [name, false]);
  assert.deepEqual(read(0).flags, Object.fromEntries(none));
  for (const [name, bit] of Object.entries(names)) {
    assert.deepEqual(read(1 << bit).flags, { ...read(0).flags, [name]: true });
  }
});

test('a credential with a truncated key is refused, even if the rest parses as extensions', () => {
  // A map with one member of 17 bytes, which end with a one-byte id and the start of a longer text.
  const rest = Uint8Array.of(0xa1, 0x00, 0x51, ...new Uint8Array(13), 0, 1, 5, 0x58);
  assert.equal(read(0x81, rest).attestedCredential, undefined);
  assert.throws(() => read(0xc1, rest), /public key/);
});
