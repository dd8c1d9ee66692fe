// A line of the audit trail: the members of an activity that it contains, and those that it never contains.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { makePolicy } from '../../operations/policies/policy_requests.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import {
  approve,
  by,
  makeWallet,
  reject,
  type Shown,
  shownAs,
  startVoters,
} from '../../votes/voting.ts';

async function linesOf(service: TestService, ...activities: readonly Shown[]) {
  const entries = activities.map(({ id, organizationId }, i) => ({
    number: i + 1,
    organizationId,
    activityId: id,
    version: 1,
  }));
  const { lines } = await service.enclave.auditLines({ entries });
  return lines.map((bytes) => JSON.parse(textOfUtf8(bytes) ?? ''));
}

async function lineOf(service: TestService, activity: Shown) {
  const [line] = await linesOf(service, activity);
  return line;
}

async function voters(t: TestContext) {
  const world = await startVoters();
  t.after(() => world.service.close());
  return world;
}

const credentialOf = async (service: TestService, userId: string): Promise<string> => {
  const { body } = await service.query('get_api_keys', { userId });
  return body.apiKeys[0].apiKeyId;
};

test('a line has the action, the user, the time, the outcome, the fingerprint and the reason', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const activity = shownAs('COMPLETED', await makeWallet(service, 'Savings'));
  const { userId, apiKeyId: credentialId } = service.root;
  const at = new Date(service.now()).toISOString();
  assert.deepEqual(await lineOf(service, activity), {
    number: 1,
    organizationId: service.root.organizationId,
    activityId: activity.id,
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    status: 'ACTIVITY_STATUS_COMPLETED',
    fingerprint: activity.fingerprint,
    submittedAt: at,
    decidedAt: at,
    submitter: { userId, credentialId },
    votes: [{ userId, credentialId, selection: 'VOTE_SELECTION_APPROVED', votedAt: at }],
    decision: { outcome: 'ALLOW', reason: 'ROOT_QUORUM_MET', userId, policies: [] },
  });
});

test('the deciding policies are named, and policies that do not apply are not', async (t) => {
  const { service, ids, bothTags } = await voters(t);
  await makePolicy(service, 'Of others', {
    condition: "activity.resource == 'POLICY'",
    consensus: 'approvers.count() >= 1',
  });
  const policyId = await bothTags();
  const asked = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'Shared', by('Trader')));
  service.advance(60_000);
  shownAs('COMPLETED', await approve(service, asked, by('Officer')));
  const line = await lineOf(service, asked);
  assert.deepEqual(line.decision, {
    outcome: 'ALLOW',
    reason: 'POLICY_ALLOWS',
    userId: ids.officer,
    policies: [{ policyId, outcome: 'OUTCOME_ALLOW' }],
  });
  assert.deepEqual(line.submitter, {
    userId: ids.trader,
    credentialId: await credentialOf(service, ids.trader),
  });
  assert.deepEqual(
    line.votes.map((vote: Shown) => vote.userId),
    [ids.trader, ids.officer],
  );
  assert.ok(Date.parse(line.decidedAt) - Date.parse(line.submittedAt) >= 60_000);
});

test('the line of a refusal names the policy that denied, and that of a rejection names the user', async (t) => {
  const { service, ids, bothTags } = await voters(t);
  await bothTags();
  const policyId = await makePolicy(service, 'No keys', {
    effect: 'EFFECT_DENY',
    condition: "activity.resource == 'PRIVATE_KEY'",
    consensus: 'true',
  });
  const refused = await service.submit(
    'create_private_keys',
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    {
      privateKeys: [
        { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
      ],
    },
    by('Trader'),
  );
  assert.equal(refused.status, 403);
  const { body } = await service.query('list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_FAILED'],
  });
  const line = await lineOf(service, body.activities[0]);
  assert.equal(line.status, 'ACTIVITY_STATUS_FAILED');
  assert.equal(line.failureCode, 7);
  assert.deepEqual(line.decision.policies, [{ policyId, outcome: 'OUTCOME_DENY_EXPLICIT' }]);
  assert.deepEqual(
    [line.decision.outcome, line.decision.reason, line.submitter.userId],
    ['REFUSE', 'POLICY_DENIES', ids.trader],
  );

  const asked = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'Shared', by('Trader')));
  await reject(service, asked, by('Officer'));
  const rejected = await lineOf(service, asked);
  assert.deepEqual(
    [rejected.status, rejected.decision.outcome, rejected.decision.userId],
    ['ACTIVITY_STATUS_REJECTED', 'REJECT', ids.officer],
  );
});

test('a line contains no typed text, no key and no token', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const login = await service.submit('stamp_login', 'ACTIVITY_TYPE_STAMP_LOGIN', {
    publicKey: testKey('session').publicKey,
  });
  const { session } = shownAs('COMPLETED', login).result.stampLoginResult;
  assert.ok(session.length > 100);
  const named = shownAs('COMPLETED', await makeWallet(service, 'A name that was typed'));
  const lines = await linesOf(service, login.body.activity, named);
  const text = JSON.stringify(lines);
  for (const part of [
    session,
    session.slice(-40),
    'A name that was typed',
    testKey('session').publicKey,
    service.root.key.publicKey,
    'Root user',
  ]) {
    assert.ok(!text.includes(part), part);
  }
});

test('a waiting, missing or altered activity has its number, and a line that calls it unreadable', async (t) => {
  const { service, bothTags } = await voters(t);
  await bothTags();
  const asked = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'Shared', by('Trader')));
  const { organizationId } = service.root;
  const none = { id: '01990000-0000-7000-8000-000000000000', organizationId };
  const whole = shownAs('COMPLETED', await makeWallet(service, 'Whole'));
  const elsewhere = { ...whole, organizationId: none.id };
  const lines = await linesOf(service, asked, none, elsewhere, whole);
  assert.deepEqual(
    lines.map(({ number, unreadable }) => [number, unreadable]),
    [
      [1, true],
      [2, true],
      [3, true],
      [4, undefined],
    ],
  );
  assert.deepEqual(Object.keys(lines[0]), ['number', 'organizationId', 'activityId', 'unreadable']);
});
