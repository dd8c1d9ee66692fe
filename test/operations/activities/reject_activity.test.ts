import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { stampOf, testKey } from '../../support/harness.ts';
import {
  approve,
  assertNothingChanged,
  bodyOf,
  by,
  makeWallet,
  organizationName,
  read,
  reject,
  rejectType,
  rename,
  renameType,
  sendBody,
  shownAs,
  startVoters,
  type Voters,
} from '../../votes/voting.ts';
import { assertRefused, assertViolation, storedCount } from '../checks.ts';
import { addChild } from '../other_callers.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

// SVC-12, SVC-13, STATE-03
test('one rejection of a member of the root quorum is final', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(3);
  const asked = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const waiting = shownAs('CONSENSUS_NEEDED', await approve(service, asked, by('Second')));
  const body = bodyOf(service, rejectType, { fingerprint: waiting.fingerprint });
  const answer = await sendBody(service, 'reject_activity', body, by('Third'));
  const rejected = shownAs('REJECTED', answer);
  assert.deepEqual(Object.keys(answer.body), ['activity']);
  assert.equal(rejected.id, waiting.id);
  assert.deepEqual(rejected.result, {});
  assert.equal(rejected.failure, undefined);
  assert.deepEqual([rejected.canApprove, rejected.canReject], [false, false]);
  assert.deepEqual(rejected.votes.slice(0, 2), waiting.votes);
  const { userId, selection, message, publicKey } = rejected.votes[2];
  assert.deepEqual(
    { userId, selection, message, publicKey },
    {
      userId: ids.third,
      selection: 'VOTE_SELECTION_REJECTED',
      message: new TextDecoder().decode(body),
      publicKey: testKey('Third').publicKey,
    },
  );
  assert.deepEqual(await read(service, waiting), rejected);

  const before = await storedCount(service);
  for (const name of ['Second', 'Third', 'Plain']) {
    assert.deepEqual(shownAs('REJECTED', await reject(service, waiting, by(name))), rejected);
    await assertNothingChanged(service, () => approve(service, waiting, by(name)), {
      status: 400,
      code: 9,
      text: /^the activity was decided before this vote: its status is ACTIVITY_STATUS_REJECTED/,
    });
  }
  assert.deepEqual(await storedCount(service), before);
  assert.equal(await organizationName(service), 'Test organization');
});

test('a repeated body returns the rejected activity to any sender', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const body = bodyOf(service, renameType, { organizationName: 'Renamed' });
  const send = (as = {}) => sendBody(service, 'update_organization_name', body, as);
  const waiting = shownAs('CONSENSUS_NEEDED', await send());
  const rejected = shownAs('REJECTED', await reject(service, waiting, by('Second')));
  for (const as of [{}, by('Second'), by('Third')]) {
    assert.deepEqual(shownAs('REJECTED', await send(as)), rejected);
  }
  // A body with another timestamp is another activity.
  const again = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  assert.notEqual(again.id, rejected.id);
  shownAs('COMPLETED', await approve(service, again, by('Second')));
});

test('the submitter withdraws its request', async () => {
  const { service, ids } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const rejected = shownAs('REJECTED', await reject(service, waiting, by('Trader')));
  // A user has one vote: the newest one.
  const [vote, another] = rejected.votes;
  assert.equal(another, undefined);
  assert.deepEqual([vote.userId, vote.selection], [ids.trader, 'VOTE_SELECTION_REJECTED']);
  assertRefused(await approve(service, waiting, by('Officer')), 400, 9);
});

test('only users who may approve may reject', async () => {
  const { service } = voters;
  const policyId = await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const refused = await assertNothingChanged(service, () => reject(service, waiting, by('Plain')), {
    status: 403,
    code: 7,
  });
  assert.deepEqual(refused.body.details[0].policyEvaluations, [
    { policyId, outcome: 'OUTCOME_REQUIRES_CONSENSUS' },
  ]);
  shownAs('REJECTED', await reject(service, waiting, by('Officer')));
  const another = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Officer')));
  shownAs('REJECTED', await reject(service, another));
  const third = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Officer')));
  const child = await addChild(service);
  assertRefused(await reject(service, third, child), 404, 5);
});

test('a user who approved may reject instead', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  const rejected = shownAs('REJECTED', await reject(service, waiting, by('Second')));
  assert.deepEqual(
    rejected.votes.map(({ userId, selection }: Record<string, unknown>) => [userId, selection]),
    [
      [ids.root, 'VOTE_SELECTION_APPROVED'],
      [ids.second, 'VOTE_SELECTION_REJECTED'],
    ],
  );
});

test('malformed rejections and unknown callers are refused', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const { fingerprint } = waiting;
  const as = by('Second');
  const before = await storedCount(service);
  for (const [parameters, field] of [
    [{}, 'fingerprint'],
    [{ fingerprint: null }, 'fingerprint'],
    [{ fingerprint: { fingerprint } }, 'fingerprint'],
    [{ fingerprint: fingerprint.slice(0, -1) }, 'fingerprint'],
    [{ fingerprint, reason: 'no' }, 'reason'],
  ] as const) {
    const answer = await service.submit('reject_activity', rejectType, parameters, as);
    assertViolation(answer, `parameters.${field}`);
  }
  // The path for rejections takes no approval.
  const approval = bodyOf(service, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint });
  assertViolation(await sendBody(service, 'reject_activity', approval, as), 'type');

  const body = bodyOf(service, rejectType, { fingerprint });
  assertRefused(await service.send('submit', 'reject_activity', body, []), 401, 16); // REQ-10
  const strange = stampOf(body, testKey('Stranger'));
  assertRefused(await service.send('submit', 'reject_activity', body, [strange]), 401, 16);
  const other = stampOf(approval, testKey('Second'));
  assertRefused(await service.send('submit', 'reject_activity', body, [other]), 401, 16);
  const unknown = { fingerprint: `sha256:${'f'.repeat(64)}` };
  assertRefused(await reject(service, unknown, as), 404, 5);
  assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
  shownAs('REJECTED', await sendBody(service, 'reject_activity', body, as));
});
