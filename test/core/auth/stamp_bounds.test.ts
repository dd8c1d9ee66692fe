// Maximum lengths of stamps and of their members.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumStampCharacters, parseStamp } from '../../../src/core/auth/stamp.ts';
import {
  maximumCredentialIdBytes,
  parseWebAuthnStamp,
} from '../../../src/core/auth/webauthn/stamp.ts';
import { base64url, utf8 } from '../../../src/core/base/bytes.ts';

test('a stamp of the maximum length is read, and a longer stamp is refused', () => {
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
  const text = JSON.stringify({ scheme, publicKey: '02'.repeat(33), signature: '30' });
  const padded = (length: number) => base64url(utf8(text.padEnd((length * 3) / 4)));
  assert.equal(padded(maximumStampCharacters).length, maximumStampCharacters);
  assert.equal(parseStamp(padded(maximumStampCharacters)).scheme, scheme);
  assert.throws(() => parseStamp(padded(maximumStampCharacters + 4)), { code: 'stamp_malformed' });
});

test('the id of a passkey in a stamp has 1 to 1023 bytes', () => {
  const read = (idBytes: number) => {
    const credentialId = base64url(new Uint8Array(idBytes).fill(9));
    const others = { authenticatorData: 'AQ', clientDataJson: 'AQ', signature: 'AQ' };
    const stamp = parseWebAuthnStamp(JSON.stringify({ credentialId, ...others }));
    assert.equal(stamp.credentialId, credentialId);
  };
  for (const idBytes of [1, maximumCredentialIdBytes]) read(idBytes);
  for (const idBytes of [0, maximumCredentialIdBytes + 1]) {
    assert.throws(() => read(idBytes), { code: 'webauthn_stamp_malformed' });
  }
});
