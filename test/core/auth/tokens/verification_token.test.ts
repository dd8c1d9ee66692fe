// The expiry and the claims of verification tokens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenRefusals, writeJwt } from '../../../../src/core/auth/tokens/jwt.ts';
import {
  readVerificationToken,
  writeVerificationToken,
} from '../../../../src/core/auth/tokens/verification_token.ts';
import { fixedServiceKeys } from '../../crypto/service_keys.test.ts';

const keys = fixedServiceKeys();
const publicKey = keys.publicKey('verifier');

const claims = {
  expiresAtMs: 1_782_919_651_261,
  id: 'eb39b199-3352-4289-b31f-57194c79609c',
  organizationId: '7ff189fb-df7d-452e-8540-57632e380b77',
  verificationType: 'OTP_TYPE_EMAIL',
  contact: 'user@example.com',
  publicKey: '036335b78f92736e32e99dc6aed979aff0b5c24192e76b1628aa54edaf58c8c15d',
};

test('a verification token is valid until, and not at, the millisecond of its expiry', () => {
  const token = writeVerificationToken(claims, keys);
  const readAt = (now: number) => readVerificationToken(token, { publicKey, now });
  assert.deepEqual(readAt(claims.expiresAtMs - 1), { claims });
  assert.deepEqual(readAt(claims.expiresAtMs), { refusal: tokenRefusals.expired });
});

test('a verification token without a claim is refused, although the service signed it', () => {
  const header = '{"typ":"JWT","alg":"ES256"}';
  const whole = {
    exp: String(claims.expiresAtMs),
    id: claims.id,
    organization_id: claims.organizationId,
    verification_type: claims.verificationType,
    contact: claims.contact,
    public_key: claims.publicKey,
  };
  const read = (members: object) => {
    const token = writeJwt({ role: 'verifier', header, hashes: 1 }, { ...whole, ...members }, keys);
    return readVerificationToken(token, { publicKey, now: 0 });
  };
  assert.deepEqual(read({}), { claims });
  for (const name of Object.keys(whole)) {
    for (const value of [undefined, '', 1]) {
      assert.deepEqual(read({ [name]: value }), { refusal: tokenRefusals.claims }, name);
    }
  }
  assert.deepEqual(read({ exp: '1e15' }), { refusal: tokenRefusals.claims });
});
