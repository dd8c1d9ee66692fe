// A request that policies refuse is recorded once for each body and user, as a failed activity that
// reserves nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecordedRefusals, maximumRecorded } from '../../src/pipeline/recorded_refusals.ts';
import { activityBody, storedCount } from '../operations/checks.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { stampOf, startTestService, testKey } from '../support/harness.ts';

const type = 'ACTIVITY_TYPE_CREATE_WALLET';

test('one body that is refused to two users is recorded once for each', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const userId = await makeUser(service, 'Other');
  const body = activityBody(service, type, { walletName: 'Refused', accounts: [] });
  const send = (key: typeof plain.key) =>
    service.send('submit', 'create_wallet', body, [stampOf(body, key)]);
  const kept = async () => {
    const filter = { filterByType: [type], filterByStatus: ['ACTIVITY_STATUS_FAILED'] };
    const { activities } = (await service.query('list_activities', filter)).body;
    return activities.map(({ id, votes }: { id: string; votes: { userId: string }[] }) => ({
      id,
      userIds: votes.map((vote) => vote.userId),
    }));
  };
  const keys = [plain.key, testKey('Other')];
  for (const key of keys) {
    const answer = await send(key);
    assert.deepEqual([answer.status, answer.body.code], [403, 7]);
  }
  const first = await kept();
  assert.equal(first.length, 2);
  assert.deepEqual(first[0].userIds, [userId]);
  assert.notDeepEqual(first[1].userIds, first[0].userIds);
  // Repetitions are refused again, and not recorded again.
  for (const key of keys) assert.equal((await send(key)).status, 403);
  assert.deepEqual(await kept(), first);
  // The records do not block a user with permission.
  const answer = await send(service.root.key);
  assert.equal(answer.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.deepEqual(await kept(), first);
});

/**
 * Starts a service with a user without rights; `refuse` sends a request of this user that policies refuse.
 */
async function startWithPlainUser() {
  const service = await startTestService();
  const plain = await addPlainUser(service);
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const [signWith = ''] = addresses;
  const refuse = async (payload: string) => {
    const parameters = {
      signWith,
      payload,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    };
    const answer = await service.submit('sign_raw_payload', signType, parameters, plain);
    assert.deepEqual([answer.status, answer.body.code], [403, 7], JSON.stringify(answer.body));
    return answer.body.details.flatMap(({ activityId = [] }) => activityId);
  };
  return { service, signWith, refuse };
}

const signType = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';

test('a refusal keeps the digest and the outline of a large request', async (t) => {
  const { service, signWith, refuse } = await startWithPlainUser();
  t.after(() => service.close());
  const [activityId] = await refuse('x'.repeat(1_000_000));
  const { organizationId } = service.root;
  const row = await service.store.port.activity({ organizationId, id: activityId });
  assert.ok(row !== undefined && row.body.length < 4_096, String(row?.body.length));
  const { activity } = (await service.query('get_activity', { activityId })).body;
  const [vote] = activity.votes;
  assert.equal(vote.message, activity.fingerprint);
  const { payload, ...others } = activity.intent.signRawPayloadIntentV2;
  assert.match(payload, /^sha256:[0-9a-f]{64}$/);
  assert.equal(others.signWith, signWith);
  assert.equal(activity.status, 'ACTIVITY_STATUS_FAILED');
  assert.equal(activity.failure.code, 7);
  const explained = await service.query('explain_activity', { activityId });
  assert.equal(explained.status, 200);
  const { body } = await service.query('simulate_policies', { changes: [] });
  const simulated = body.decisions.find(
    (each: { activityId: string }) => each.activityId === activityId,
  );
  assert.equal(simulated.obstacle, 'REQUEST_GONE');
});

test('a refusal records an ordinary request as it was signed', async (t) => {
  const { service, refuse } = await startWithPlainUser();
  t.after(() => service.close());
  const [activityId] = await refuse('x'.repeat(7_000));
  const { activity } = (await service.query('get_activity', { activityId })).body;
  assert.equal(activity.intent.signRawPayloadIntentV2.payload, 'x'.repeat(7_000));
  assert.equal(JSON.parse(activity.votes[0].message).parameters.payload, 'x'.repeat(7_000));
});

test('so many refusals of a user are recorded in an hour; further ones are answered alone', async (t) => {
  const { service, refuse } = await startWithPlainUser();
  t.after(() => service.close());
  for (let i = 0; i < maximumRecorded.ofUser; i += 1) {
    assert.equal((await refuse(`${i}`)).length, 1);
  }
  const refused = () => storedCount(service);
  const before = await refused();
  for (let i = 0; i < 5; i += 1) assert.deepEqual(await refuse(`further ${i}`), []);
  assert.deepEqual(await refused(), before);
  const vitals = await service.enclave.vitals(undefined);
  assert.equal(vitals.unrecordedRefusals, 5);
  service.advance(3_600_000);
  assert.equal((await refuse('an hour later')).length, 1);
});

test('organizations have their own bound, above that of their users', () => {
  let now = 0;
  const refusals = createRecordedRefusals(() => now);
  const { ofUser, ofOrganization } = maximumRecorded;
  for (let i = 0; i < ofOrganization; i += 1) {
    assert.ok(refusals.mayRecord('a', `user ${Math.floor(i / ofUser)}`));
  }
  assert.ok(!refusals.mayRecord('a', 'another user'));
  assert.ok(refusals.mayRecord('b', 'another user'));
  assert.equal(refusals.unrecorded(), 1);
  now = 3_600_000;
  assert.ok(refusals.mayRecord('a', 'another user'));
});

test('a refusal names the false comparison with its values, at once and later', async (t) => {
  const { service, refuse } = await startWithPlainUser();
  t.after(() => service.close());
  await makePolicy(service, 'Small', {
    condition: "activity.action == 'SIGN' && activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'",
  });
  const [activityId] = await refuse('hello');
  const because = [
    {
      position: 29,
      text: "activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'",
      values: [{ name: 'activity.params.encoding', value: "'PAYLOAD_ENCODING_TEXT_UTF8'" }],
    },
  ];
  const { votes, failure } = (await service.query('explain_activity', { activityId })).body;
  const clauses = [{ clause: 'condition', value: false, because }];
  assert.deepEqual(votes[0].decision.policies[0].clauses.slice(0, 1), clauses);
  assert.deepEqual(failure.details.at(-1).policies[0].clauses.slice(0, 1), clauses);
});
