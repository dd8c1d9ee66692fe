// Tokens that the service issues, verified with its published key set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateJwkThumbprint, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  issuerKeySet,
  writeIssuedIdentity,
} from '../../../../src/core/auth/tokens/issued_identity.ts';
import { fixedServiceKeys } from '../../crypto/service_keys.test.ts';

const identity = {
  issuer: 'https://keys.example',
  audience: 'app',
  subject: 'ada',
  nonce: 'nonce',
  issuedAtSeconds: 1_767_225_600,
  expiresAtSeconds: 1_767_229_200,
};

test('a token names its key by the thumbprint (RFC 7638) in the key set', async () => {
  const keys = fixedServiceKeys();
  const keySet = issuerKeySet(keys) as unknown as JSONWebKeySet;
  const [key] = keySet.keys;
  assert.ok(key !== undefined);
  assert.equal(key.kid, await calculateJwkThumbprint(key, 'sha256'));
  const token = writeIssuedIdentity(identity, keys);
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keySet), {
    issuer: identity.issuer,
    audience: identity.audience,
    currentDate: new Date(identity.issuedAtSeconds * 1000),
  });
  assert.equal(protectedHeader.kid, key.kid);
  assert.equal(payload.sub, 'ada');
  assert.equal('encrypted_bearer_token' in payload, false);
});
