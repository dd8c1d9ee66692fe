// OP-CREATE-OAUTH-PROVIDERS-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, utf8 } from '../../../src/core/base/bytes.ts';
import { stampOf, startTestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, nonceOf, publish } from '../../support/identity_provider.ts';
import {
  activityBody,
  assertCompleted,
  assertRefused,
  checkActivity,
  checkRefused,
} from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser, shownUser, timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  byClaims,
  byToken,
  knownIssuer,
  makeProviders,
  sendProviders,
  subjectsOf,
} from './oauth_provider_requests.ts';

const wire = {
  operation: 'create_oauth_providers',
  type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2', // OP-CREATE-OAUTH-PROVIDERS-02
  intent: 'createOauthProvidersIntentV2', // OP-CREATE-OAUTH-PROVIDERS-11
  result: 'createOauthProvidersResultV2', // OP-CREATE-OAUTH-PROVIDERS-12
};

test('create_oauth_providers: adds the accounts to the user, in request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  const token = byToken(service, issuer, 'ada');
  const oauthProviders = [token, byClaims('ada', 'web')];
  const parameters = { userId: userId.toUpperCase(), oauthProviders };
  const withItem = (item: object) => ({ userId, oauthProviders: [item] });
  const claims = byClaims('ada', 'web').oidcClaims;
  const item = 'parameters.oauthProviders.0';
  const result = await checkActivity(service, {
    ...wire,
    parameters, // OP-CREATE-OAUTH-PROVIDERS-03, OP-CREATE-OAUTH-PROVIDERS-04
    malformed: [
      { field: 'parameters.userId', parameters: { ...parameters, userId: 'x' } },
      { field: 'parameters.oauthProviders', parameters: { ...parameters, oauthProviders: [] } },
      // OP-CREATE-OAUTH-PROVIDERS-05
      { field: `${item}.providerName`, parameters: withItem({ ...token, providerName: '' }) },
      { field: `${item}.oidcToken`, parameters: withItem({ ...token, oidcToken: '' }) },
      { field: `${item}.surprise`, parameters: withItem({ ...token, surprise: 1 }) },
      // OP-CREATE-OAUTH-PROVIDERS-06, OP-CREATE-OAUTH-PROVIDERS-07
      { field: item, parameters: withItem({ providerName: 'Neither' }) },
      { field: item, parameters: withItem({ ...token, oidcClaims: claims }) },
      // OP-CREATE-OAUTH-PROVIDERS-08, OP-CREATE-OAUTH-PROVIDERS-09, OP-CREATE-OAUTH-PROVIDERS-10
      ...['iss', 'sub', 'aud'].map((name) => ({
        field: `${item}.oidcClaims.${name}`,
        parameters: withItem({
          providerName: 'Claims',
          oidcClaims: { ...claims, [name]: undefined },
        }),
      })),
    ],
  });
  assert.equal(result.providerIds.length, 2); // OP-CREATE-OAUTH-PROVIDERS-13
  const at = timestampOf(service.now());
  const shown = (i: number, audience: string) => ({
    providerId: result.providerIds[i],
    providerName: 'Account of ada',
    issuer: issuer.issuer,
    audience,
    subject: 'ada',
    createdAt: at,
    updatedAt: at,
  });
  // RES-OAUTH-PROVIDER-02 … RES-OAUTH-PROVIDER-08
  assert.deepEqual((await shownUser(service, userId)).oauthProviders, [
    shown(0, 'app'),
    shown(1, 'web'),
  ]);
});

test('create_oauth_providers: the older activity type takes only tokens', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId, organizationId, key } = service.root;
  const names = {
    type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS',
    intent: 'createOauthProvidersIntent',
    result: 'createOauthProvidersResult',
    parameters: { userId, oauthProviders: [byToken(service, issuer, 'ada')] },
  };
  const body = activityBody(service, names.type, names.parameters);
  const answer = await service.send('submit', wire.operation, body, [stampOf(body, key)]);
  assertCompleted(answer, names, body, organizationId);
  const parameters = { userId, oauthProviders: [byClaims('ada', 'web')] };
  await checkRefused(
    service,
    { operation: wire.operation, type: names.type, parameters },
    { status: 400, code: 3, text: /unknown/, field: 'parameters.oauthProviders.0.oidcClaims' },
  );
});

test('create_oauth_providers: a user may add accounts to itself, the root quorum to all users', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const ada = await makeUser(service, 'Ada');
  const bob = await makeUser(service, 'Bob');
  const as = { key: testKey('Ada') };
  await makeProviders(service, ada, [byToken(service, issuer, 'own')], as);
  const asked = service.outside.askedFor.length;
  for (const userId of [bob, service.root.userId, unknownId]) {
    const answer = await sendProviders(service, userId, [byToken(service, issuer, 'new')], as);
    assertRefused(answer, 403, 7);
  }
  assert.equal(service.outside.askedFor.length, asked, 'nobody is asked for those who may not');
  await makeProviders(service, bob, [byToken(service, issuer, 'by root')]);
  const child = await addChild(service);
  const inChild = await sendProviders(service, ada, [byToken(service, issuer, 'child')], child);
  assertRefused(inChild, 404, 5);
});

test('create_oauth_providers: claims need a token of the same person', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const ada = await makeUser(service, 'Ada');
  const bob = await makeUser(service, 'Bob');
  const refused = (userId: string, oauthProviders: readonly object[], index = 0) =>
    checkRefused(
      service,
      { ...wire, parameters: { userId, oauthProviders } },
      {
        status: 400,
        code: 3,
        text: /claims alone prove nothing$/,
        field: `parameters.oauthProviders.${index}.oidcClaims`,
      },
    );
  const token = () => byToken(service, issuer, 'ada');
  await refused(ada, [byClaims('ada', 'web')]);
  await refused(ada, [byClaims('ada', 'web'), byClaims('ada', 'app')]);
  await refused(ada, [token(), byClaims('eve', 'web')], 1);
  await refused(ada, [token(), byClaims('ada', 'web', 'https://other.test')], 1);
  await makeProviders(service, ada, [byClaims('ada', 'web'), token()]);
  // A verified identity of the same user proves the person; an identity of another user does not.
  await makeProviders(service, ada, [byClaims('ada', 'phone')]);
  await refused(bob, [byClaims('ada', 'desktop')]);
  assert.deepEqual(await subjectsOf(service, ada), ['ada', 'ada', 'ada']);
});

test('create_oauth_providers: an account belongs to one user of the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId } = service.root;
  await makeProviders(service, userId, [byToken(service, issuer, 'ada')]);
  const bob = await makeUser(service, 'Bob');
  const exists = {
    status: 409,
    code: 6,
    text: /already exists/,
    clientCode: 'OAUTH_PROVIDER_ALREADY_EXISTS',
  };
  for (const [user, oauthProviders] of [
    [bob, [byToken(service, issuer, 'ada')]],
    [userId, [byToken(service, issuer, 'ada')]],
    [userId, [byClaims('ada', 'app')]],
    [bob, [byToken(service, issuer, 'bob'), byToken(service, issuer, 'bob')]],
  ] as const) {
    await checkRefused(service, { ...wire, parameters: { userId: user, oauthProviders } }, exists);
  }
  const child = await addChild(service);
  const { body } = await service.query('list_users', {}, child);
  await makeProviders(service, body.users[0].userId, [byToken(service, issuer, 'ada')], child);
});

test('create_oauth_providers: a user has at most ten', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const userId = await makeUser(service, 'Ada');
  const some = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => byToken(service, issuer, `${name} ${i}`));
  await makeProviders(service, userId, some(9, 'first'));
  const limit = { status: 429, code: 8, text: /^user has exceeded maximum oauth providers/ };
  for (const oauthProviders of [some(2, 'second'), some(11, 'third')]) {
    await checkRefused(service, { ...wire, parameters: { userId, oauthProviders } }, limit);
  }
  await makeProviders(service, userId, some(1, 'last'));
});

test('create_oauth_providers: verifies tokens, which need not name a key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId } = service.root;
  const seconds = Math.floor(service.now() / 1000);
  const forged = createTestIssuer(issuer.issuer, 'not the first');
  const unsigned = (claims: object) =>
    [{ alg: 'none' }, claims].map((part) => base64url(utf8(JSON.stringify(part)))).join('.');
  for (const [oidcToken, text] of [
    [issuer.token(service, { sub: 'ada', exp: seconds - 1 }), /`exp`: the token has expired/],
    [
      issuer.token(service, { sub: 'ada', aud: ['app', 'web'] }),
      /`azp`: expected the one of several audiences/,
    ],
    [issuer.token(service, { sub: undefined }), /`sub`: expected one text/],
    [forged.token(service, { sub: 'ada' }), /no key that fits `alg` and `kid`/],
    [`${unsigned({ iss: issuer.issuer, sub: 'ada', aud: 'app' })}.`, /`alg`/],
    ['not a token', /expected three parts in base64url/],
  ] as const) {
    const parameters = { userId, oauthProviders: [{ providerName: 'P', oidcToken }] };
    await checkRefused(
      service,
      { ...wire, parameters },
      { status: 400, code: 3, text, clientCode: 'INVALID_OIDC_TOKEN' },
    );
  }
  const down = createTestIssuer('https://down.test');
  const parameters = { userId, oauthProviders: [byToken(service, down, 'ada')] };
  await checkRefused(
    service,
    { ...wire, parameters },
    {
      status: 503,
      code: 14,
      text: /^could not fetch the keys of the OIDC issuer `https:\/\/down.test`/,
    },
  );
  // C2: the token may be wrapped in base64 once more.
  const token = issuer.token(service, { sub: 'ada', nonce: nonceOf('any key') });
  const wrapped = { providerName: 'P', oidcToken: base64url(utf8(token)) };
  await makeProviders(service, userId, [wrapped]);
});

test('create_oauth_providers: accepts only issuers of the enclave’s settings, not of the gateway', async (t) => {
  for (const oidcIssuers of [[], ['https://issuer.test/']]) {
    const service = await startTestService({ deployment: { oidcIssuers } });
    t.after(() => service.close());
    const issuer = knownIssuer(service);
    const parameters = {
      userId: service.root.userId,
      oauthProviders: [byToken(service, issuer, 'ada')],
    };
    await checkRefused(
      service,
      { ...wire, parameters },
      { status: 400, code: 3, text: /issuer `https:\/\/issuer.test` are not accepted here$/ },
    );
    assert.deepEqual(service.outside.askedFor, []);
  }
});

test('create_oauth_providers: a waiting request needs a valid token at its last vote', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const ada = await makeUser(service, 'Ada');
  const bob = await makeUser(service, 'Bob');
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two users',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_OAUTH_PROVIDERS'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const approve = (fingerprint: string) =>
    service.submit(
      'approve_activity',
      'ACTIVITY_TYPE_APPROVE_ACTIVITY',
      { fingerprint },
      { key: testKey('Bob') },
    );
  const waiting = async (sub: string) => {
    const as = { key: testKey('Ada') };
    const { body } = await sendProviders(service, bob, [byToken(service, issuer, sub)], as);
    assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    return body.activity.fingerprint;
  };
  const first = await waiting('first');
  const late = await waiting('late');
  // The enclave fetches no keys of an issuer for a waiting activity, nor for its readers.
  service.outside.issuers.clear();
  const listed = await service.query('list_activities', {}, { key: testKey('Bob') });
  assert.equal(listed.body.activities[0].canApprove, true);
  assert.deepEqual(service.outside.askedFor, []);
  assertRefused(await approve(first), 503, 14);
  publish(service, issuer);
  assert.equal((await approve(first)).body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  service.advance(3_600_000);
  const { activity } = (await approve(late)).body;
  assert.equal(activity.status, 'ACTIVITY_STATUS_FAILED');
  assert.match(activity.failure.message, /^invalid OIDC token: `exp`/);
  assert.deepEqual(await subjectsOf(service, bob), ['first']);
  assert.deepEqual(await subjectsOf(service, ada), []);
});

test('create_oauth_providers: a dry run verifies the token and registers nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const issuer = knownIssuer(service);
  const { userId, key } = service.root;
  const { ask } = dryRunner(service);
  const good = { userId, oauthProviders: [byToken(service, issuer, 'ada')] };
  assert.equal((await ask(good, key)).dryRun.status, 'ACTIVITY_STATUS_COMPLETED');
  const bad = { userId, oauthProviders: [byToken(service, issuer, 'ada', { exp: 1 })] };
  assert.match((await ask(bad, key)).message, /has expired/);
  assert.deepEqual(await subjectsOf(service), []);
});

function dryRunner(service: Awaited<ReturnType<typeof startTestService>>) {
  return {
    ask: async (parameters: object, key: typeof service.root.key) => {
      const body = activityBody(service, wire.type, { ...parameters });
      const answer = await service.enclave.request({
        requestId: 'dry',
        kind: 'dry_run',
        operation: wire.operation,
        headers: [stampOf(body, key)],
        timestampObjects: false,
        remoteAddress: service.remoteAddress,
        body,
      });
      return JSON.parse(Buffer.from(answer.body).toString());
    },
  };
}
