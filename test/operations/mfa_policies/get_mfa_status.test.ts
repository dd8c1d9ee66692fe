import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAuthenticator, passkeyStamp } from '../../pipeline/passkey_requests.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { approveType, by, makeWallet, shownAs } from '../../votes/voting.ts';
import { activityBody, assertRefused, checkQuery } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { apiKey, makeMfaPolicy, passkey, stepsOf } from './mfa_requests.ts';

test('get_mfa_status: shows met and missing factors of the approvers', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const alice = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const carol = await makeUser(service, 'Carol');
  const phone = await addAuthenticator(service, alice, 'phone');
  const condition = "activity.resource == 'WALLET'";
  await makePolicy(service, 'Wallets', { condition, consensus: 'approvers.count() >= 3' });
  const ofAlice = await makeMfaPolicy(service, alice);
  const ofBob = await makeMfaPolicy(service, bob, {
    requiredAuthenticationMethods: stepsOf([passkey]),
  });
  await makeMfaPolicy(service, carol, { condition: "activity.action == 'SIGN'" });
  const waiting = shownAs('AUTHENTICATORS_NEEDED', await makeWallet(service, 'W', by('Alice')));
  const [{ apiKeyId }] = (await shownUser(service, alice)).apiKeys;
  const [{ authenticatorId }] = (await shownUser(service, alice)).authenticators;
  const statuses = async (parameters: object = {}) => {
    const body = { activityId: waiting.id, ...parameters };
    const answer = await service.query('get_mfa_status', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.mfaStatuses;
  };
  const body = { activityId: waiting.id };
  const malformed = [{ field: 'activityId', parameters: { activityId: 'x' } }];
  const first = await checkQuery(service, { operation: 'get_mfa_status', body, malformed });
  const requiredMethods = stepsOf([apiKey], [passkey]);
  const unmet = {
    mfaPolicyId: ofAlice,
    userId: alice,
    satisfied: false,
    satisfiedMethods: [{ ...apiKey, id: apiKeyId }],
    requiredMethods,
  };
  assert.deepEqual(first.mfaStatuses, [unmet]);
  assert.deepEqual(await statuses({ userId: carol }), []);
  const [unseen] = await statuses({ userId: bob });
  assert.deepEqual(
    [unseen.mfaPolicyId, unseen.satisfied, unseen.satisfiedMethods],
    [ofBob, false, []],
  );

  const vote = activityBody(service, approveType, { fingerprint: waiting.fingerprint });
  shownAs(
    'CONSENSUS_NEEDED',
    await service.send('submit', 'approve_activity', vote, [passkeyStamp(vote, phone)]),
  );
  const satisfiedMethods = [
    { ...apiKey, id: apiKeyId },
    { ...passkey, id: authenticatorId },
  ];
  assert.deepEqual(await statuses(), [{ ...unmet, satisfied: true, satisfiedMethods }]);
  const approveParameters = { fingerprint: waiting.fingerprint };
  await service.submit('approve_activity', approveType, approveParameters, by('Bob'));
  const both = await statuses();
  assert.deepEqual(
    both.map((status: { userId: string; satisfied: boolean }) => [status.userId, status.satisfied]),
    [
      [alice, true],
      [bob, false],
    ],
  );

  const rejectType = 'ACTIVITY_TYPE_REJECT_ACTIVITY';
  await service.submit('reject_activity', rejectType, { fingerprint: waiting.fingerprint });
  assert.deepEqual(await statuses(), [], 'nothing is asked of anybody any more');
  assertRefused(await service.query('get_mfa_status', { activityId: unknownId }), 404, 5);
  const nobody = { activityId: waiting.id, userId: unknownId };
  assertRefused(await service.query('get_mfa_status', nobody, { key: testKey('Bob') }), 404, 5);
});
