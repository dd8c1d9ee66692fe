// The proof of a new sub-organization, checked by its user, who trusts only the attestation key, against a
// dishonest gateway.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyAppProofSignature } from '@turnkey/crypto';
import {
  type Asked,
  type SignUpAnswer,
  type SoftwareStatement,
  signUpComplaints,
} from '../../../examples/check_sign_up.ts';
import { base64url, hex, utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { createEphemeralKey } from '../../../src/enclave/keys/ephemeral_key.ts';
import { seededRandom, stampOf, type TestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, publish } from '../../support/identity_provider.ts';
import { accepted, callProxy, nobody, startProxyService } from '../auth_proxy/proxy_requests.ts';
import { describedPasskey, passkeyOf } from '../authenticators/authenticator_requests.ts';
import { alice, usageSignature, verifiedToken } from '../one_time_codes/otp_requests.ts';
import { describedKey } from '../users/user_requests.ts';
import { ethereumAccount } from './proof_requests.ts';

const wallet = { walletName: 'Main', accounts: [ethereumAccount] };

async function started(t: { after: (done: () => void) => void }) {
  const service = await startProxyService();
  t.after(() => service.close());
  const { bootProof } = await accepted(service.query('get_latest_boot_proof'));
  const boot: SoftwareStatement = bootProof.softwareStatement;
  const check = (answer: SignUpAnswer, asked: Partial<Asked>, by = boot) =>
    signUpComplaints(
      answer,
      {
        parentOrganizationId: service.root.organizationId,
        apiKeys: [],
        authenticators: [],
        identities: [],
        ...asked,
      },
      by,
      boot.publicKey,
    );
  return { service, boot, check };
}

const signUp = (service: TestService, body: object): Promise<SignUpAnswer> =>
  accepted(callProxy(service, 'signup_v2', { ...nobody, wallet, ...body }));

test('an honest sign-up with any contents is proved to match the request', async (t) => {
  const { service, check } = await started(t);
  const issuer = createTestIssuer();
  publish(service, issuer);
  const token = await verifiedToken(service);
  const apiKeys = [describedKey('alice'), describedKey('first', { expirationSeconds: '60' })];
  const authenticators = [describedPasskey('phone')];
  const oidcToken = issuer.token(service, { sub: 'alice' });
  const oauthProviders = [{ providerName: 'Issuer', oidcToken }];
  const contents = { apiKeys, authenticators, oauthProviders, email: alice };
  const clientSignature = usageSignature(token, { type: 'USAGE_TYPE_SIGNUP', signupV2: contents });
  const answer = await signUp(service, {
    apiKeys,
    authenticators,
    oauthProviders,
    userEmail: alice,
    verificationToken: token,
    clientSignature,
  });
  for (const proof of answer.appProofs ?? []) verifyAppProofSignature(proof as never);
  const identities = [{ iss: issuer.issuer, aud: 'app', sub: 'alice' }];
  const passkeyPublicKeys = [base64url(passkeyOf('phone').publicKey)];
  const email = { address: alice, verified: true };
  const asked = { apiKeys, authenticators, passkeyPublicKeys, identities, email };
  assert.deepEqual(check(answer, asked), []);
  // Each member that differs from the request is named, and no other.
  const others: readonly (readonly [string, Partial<Asked>])[] = [
    ['apiKeys', { apiKeys: apiKeys.slice(1) }],
    ['credentialIds', { authenticators: [] }],
    ['passkeys', { passkeyPublicKeys: [] }],
    ['identities', { identities: [] }],
    ['contacts', { email: { address: alice, verified: false } }],
    ['parentOrganizationId', { parentOrganizationId: answer.organizationId }],
  ];
  for (const [name, other] of others) {
    const [complaint = '', more] = check(answer, { ...asked, ...other });
    assert.match(complaint, new RegExp(`^${name}: `));
    assert.equal(more, undefined);
  }
});

test('a sign-up without a wallet is proved if the page asks for it', async (t) => {
  const { service, check } = await started(t);
  const apiKeys = [describedKey('alice')];
  const plain = await accepted(callProxy(service, 'signup_v2', { ...nobody, apiKeys }));
  assert.equal(plain.appProofs, undefined);
  const bob = [describedKey('bob')];
  const body = { ...nobody, apiKeys: bob, generateAppProofs: true };
  const answer = await accepted(callProxy(service, 'signup_v2', body));
  assert.deepEqual(check(answer, { apiKeys: bob }), []);
});

test('a gateway that adds a way to sign in or forges a proof is detected', async (t) => {
  const { service, boot, check } = await started(t);
  const mallory = describedKey('mallory');
  const added: readonly (readonly [string, string, object])[] = [
    ['apiKeys', 'a key', { apiKeys: [describedKey('a key'), mallory] }],
    ['credentialIds', 'a passkey', { authenticators: [describedPasskey('of mallory')] }],
    ['contacts', 'a contact', { userEmail: 'mallory@example.com' }],
  ];
  for (const [name, key, change] of added) {
    const apiKeys = [describedKey(key)];
    const answer = await signUp(service, { apiKeys, ...change });
    const [complaint = ''] = check(answer, { apiKeys });
    assert.match(complaint, new RegExp(`^${name}: expected `));
  }

  // Further root users, or a quorum of strangers, come from a backend that creates children without the
  // proxy.
  const rootUser = (name: string) => ({ userName: name, ...nobody, apiKeys: [describedKey(name)] });
  const parameters = {
    subOrganizationName: 'Carol',
    rootQuorumThreshold: 1,
    wallet,
    rootUsers: [rootUser('carol'), rootUser('mallory')],
  };
  service.advance(1);
  const { organizationId: parentId, key } = service.root;
  const body = utf8(
    JSON.stringify({
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
      timestampMs: String(service.now()),
      organizationId: parentId,
      parameters,
      generateAppProofs: true,
    }),
  );
  const stamp = stampOf(body, key);
  const { activity } = await accepted(
    service.send('submit', 'create_sub_organization', body, [stamp]),
  );
  const made = activity.result.createSubOrganizationResultV8;
  const crowded = {
    organizationId: made.subOrganizationId,
    userId: made.rootUserIds[0],
    wallet: made.wallet,
    appProofs: activity.appProofs,
  };
  const carol = [describedKey('carol')];
  const names = check(crowded, { apiKeys: carol }).map((text) => text.split(':')[0]);
  assert.deepEqual(names, ['rootQuorum', 'users']);

  // A proof of another sign-up, one of another key, and an edited proof.
  const dave = [describedKey('dave')];
  const answer = await signUp(service, { apiKeys: dave });
  const elsewhere = { ...answer, organizationId: made.subOrganizationId };
  assert.match(check(elsewhere, { apiKeys: dave })[0] ?? '', /^organizationId: /);
  assert.equal(check({ ...answer, appProofs: [] }, { apiKeys: dave }).length, 1);
  const [proof] = (answer.appProofs ?? []).slice(-1);
  assert.ok(proof !== undefined);
  const proofPayload = proof.proofPayload.replace(testKey('dave').publicKey, mallory.publicKey);
  const edited = { ...answer, appProofs: [{ ...proof, proofPayload }] };
  assert.match(check(edited, { apiKeys: [mallory] })[0] ?? '', /not signed by its key/);
  const forger = createEphemeralKey(seededRandom('forger'));
  const forged = {
    proofPayload,
    publicKey: hex(forger.publicKey),
    signature: hex(forger.sign(sha256(utf8(proofPayload)))),
  };
  const byForger = { ...answer, appProofs: [forged] };
  assert.match(check(byForger, { apiKeys: [mallory] })[0] ?? '', /not vouched for/);
  const statement = JSON.stringify({ ephemeralPublicKeyHex: forged.publicKey });
  const lie = { ...boot, statement };
  assert.match(check(byForger, { apiKeys: [mallory] }, lie)[0] ?? '', /not vouched for/);
});
