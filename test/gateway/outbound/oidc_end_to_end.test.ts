// AUTH-11: a real identity provider on this machine; its keys are fetched and its token is verified.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindsKey, readOidcToken, verifyOidcToken } from '../../../src/core/auth/oidc_token.ts';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { createIssuerKeys } from '../../../src/gateway/outbound/oidc_keys.ts';
import { createOutbound } from '../../../src/gateway/outbound/outbound.ts';
import { algorithms, signIn, startProvider } from './oidc_provider.ts';

test('tokens of a provider are verified with its published keys', async (t) => {
  const issuer = await startProvider(t);
  const outbound = createOutbound({ allowPrivateTargets: true });
  t.after(() => outbound.close());
  const { keysOf } = createIssuerKeys({ outbound, clock: () => 0 });
  const publicKey = `02${'ab'.repeat(32)}`;
  const nonce = hex(sha256(utf8(publicKey)));
  for (const algorithm of algorithms) {
    const token = await signIn(issuer, `client-${algorithm}`, nonce);
    const read = readOidcToken(token);
    assert.deepEqual(
      [read.algorithm, read.keyId, read.issuer],
      [algorithm, `key-${algorithm}`, issuer],
    );
    const { keys } = await keysOf(read.issuer, read.keyId);
    const now = Number(read.claims['iat']) * 1000;
    const claims = verifyOidcToken({ token, keys: { keys }, now });
    assert.equal(claims.issuer, issuer);
    assert.equal(claims.audience, `client-${algorithm}`);
    assert.equal(claims.subject, 'account-1');
    assert.equal(bindsKey(claims, publicKey), true);
    assert.equal(bindsKey(claims, `03${'ab'.repeat(32)}`), false);
    const later = { token, keys: { keys }, now: claims.expiresAt };
    assert.throws(() => verifyOidcToken(later), /expired/);
  }
});

test('without the setting for private targets the same provider is not accepted', async (t) => {
  const issuer = await startProvider(t);
  const outbound = createOutbound({ allowPrivateTargets: false });
  t.after(() => outbound.close());
  const { keysOf } = createIssuerKeys({ outbound, clock: () => 0 });
  await assert.rejects(
    keysOf(issuer),
    (error) => error instanceof ServiceError && error.code === 'oidc_issuer_not_accepted',
  );
});
