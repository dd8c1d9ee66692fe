import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { stampOf, testKey } from '../../support/harness.ts';
import {
  approve,
  approveType,
  assertNothingChanged,
  bodyOf,
  by,
  makeWallet,
  organizationName,
  read,
  reject,
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
test('two of three members of the root quorum change the name of the organization', async () => {
  const { service, ids } = voters;
  await voters.formQuorum();
  const asked = await rename(service, 'Renamed');
  const waiting = shownAs('CONSENSUS_NEEDED', asked);
  assert.deepEqual(Object.keys(asked.body), ['activity', 'decision']);
  const { outcome, reason, policies } = asked.body.decision;
  assert.deepEqual(
    { outcome, reason, policies },
    {
      outcome: 'WAIT',
      reason: 'AWAITS_ROOT_QUORUM',
      policies: [],
    },
  );
  assert.deepEqual(waiting.result, {});
  assert.equal(waiting.failure, undefined);
  assert.deepEqual([waiting.canApprove, waiting.canReject], [false, true]); // ENV-12, ENV-13
  assert.deepEqual(votesOf(waiting), [[ids.root, 'VOTE_SELECTION_APPROVED']]);
  assert.equal(await organizationName(service), 'Test organization');

  const { fingerprint } = waiting;
  const body = bodyOf(service, approveType, { fingerprint });
  const approved = await sendBody(service, 'approve_activity', body, by('Second'));
  const done = shownAs('COMPLETED', approved);
  assert.deepEqual(Object.keys(approved.body), ['activity']);
  assert.equal(done.id, waiting.id);
  assert.equal(done.fingerprint, fingerprint);
  assert.deepEqual(done.intent, waiting.intent);
  assert.deepEqual(Object.keys(done.result), ['updateOrganizationNameResult']);
  assert.deepEqual([done.canApprove, done.canReject], [false, false]);
  assert.equal(await organizationName(service), 'Renamed');

  // ENV-10: the vote shows the signed message and its signature.
  const [first, vote, another] = done.votes;
  assert.equal(another, undefined);
  assert.deepEqual(first, waiting.votes[0]);
  const { id, user, signature, createdAt, ...rest } = vote;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(user.userName, 'Second');
  assert.equal(user.apiKeys[0].credential.publicKey, testKey('Second').publicKey);
  assert.match(signature, /^30[0-9a-f]+$/);
  assert.deepEqual(Object.keys(createdAt), ['seconds', 'nanos']);
  assert.deepEqual(rest, {
    userId: ids.second,
    activityId: done.id,
    selection: 'VOTE_SELECTION_APPROVED',
    message: new TextDecoder().decode(body),
    publicKey: testKey('Second').publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  });
  const digest = createHash('sha256').update(first.message).digest();
  assert.equal(fingerprint, `sha256:${hex(Uint8Array.from(digest))}`); // ENV-11
});

// SVC-14, OP-SET-FEATURE-03
test('two of three members of the root quorum set a feature', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const type = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE';
  const feature = { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example' };
  const set = await service.submit('set_organization_feature', type, feature, by('Third'));
  const waiting = shownAs('CONSENSUS_NEEDED', set);
  const features = async () =>
    (await service.query('get_organization_configs')).body.configs.features;
  const before = await features();
  assert.ok(!JSON.stringify(before).includes('WEBHOOK'));
  const done = shownAs('COMPLETED', await approve(service, waiting));
  assert.deepEqual(done.result.setOrganizationFeatureResult.features, await features());
  assert.ok(JSON.stringify(await features()).includes('FEATURE_NAME_WEBHOOK'));
});

test('a policy whose consensus needs a user of each of two tags waits for both', async () => {
  const { service, ids } = voters;
  const policyId = await voters.bothTags();
  const asked = await makeWallet(service, 'Shared', by('Trader'));
  const waiting = shownAs('CONSENSUS_NEEDED', asked);
  const { decision } = asked.body;
  assert.deepEqual([decision.outcome, decision.reason], ['WAIT', 'AWAITS_POLICY_VOTES']);
  const [policy, another] = decision.policies;
  assert.equal(another, undefined);
  assert.deepEqual([policy.policyId, policy.outcome], [policyId, 'OUTCOME_REQUIRES_CONSENSUS']);
  assert.deepEqual(policy.clauses, [
    { clause: 'condition', value: true },
    { clause: 'consensus', value: false },
  ]);

  await assertNothingChanged(service, () => approve(service, waiting, by('Plain')), {
    status: 403,
    code: 7,
  });
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  assert.deepEqual(votesOf(done), [
    [ids.trader, 'VOTE_SELECTION_APPROVED'],
    [ids.officer, 'VOTE_SELECTION_APPROVED'],
  ]);
  const { walletId } = done.result.createWalletResult;
  const { body } = await service.query('get_wallet', { walletId });
  assert.equal(body.wallet.walletName, 'Shared');
});

test('every reader sees which votes it may still cast', async () => {
  const { service } = voters;
  await voters.bothTags();
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const child = await addChild(service);
  const ofChild = shownAs('COMPLETED', await rename(service, 'Child again', child));
  const rights = async (name: string) => {
    const { canApprove, canReject } = await read(service, waiting, by(name));
    return [canApprove, canReject];
  };
  assert.deepEqual(await rights('Trader'), [false, true], 'the submitter');
  assert.deepEqual(await rights('Officer'), [true, true], 'of whom the consensus speaks');
  assert.deepEqual(await rights('Second'), [true, true], 'a member of the root quorum');
  assert.deepEqual(await rights('Plain'), [false, false], 'somebody else');
  const { body } = await service.query('list_activities', {}, by('Officer'));
  const listed = body.activities.find(({ id }: { id: string }) => id === waiting.id);
  assert.deepEqual([listed.canApprove, listed.canReject], [true, true]);

  // One of three approvals: the activity still waits, and this user cannot approve again.
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  assert.deepEqual([voted.canApprove, voted.canReject], [false, true]);
  const atChild = { organizationId: child.organizationId };
  const readByParent = await read(service, ofChild, atChild);
  assert.deepEqual([readByParent.canApprove, readByParent.canReject], [false, false]);
});

test('the users of a parent read what waits in a child, and have no vote there', async () => {
  const { service } = voters;
  const child = await addChild(service);
  const { organizationId } = child;
  const { userId } = (await service.query('whoami', {}, child)).body;
  const users = {
    users: [
      {
        userName: 'Other root',
        userTags: [],
        apiKeys: [
          {
            apiKeyName: 'Other root',
            publicKey: testKey('Other root').publicKey,
            curveType: 'API_KEY_CURVE_P256',
          },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  };
  const made = await service.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', users, child);
  const [otherId] = shownAs('COMPLETED', made).result.createUsersResult.userIds;
  const quorum = { threshold: 2, userIds: [userId, otherId] };
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  shownAs('COMPLETED', await service.submit('update_root_quorum', type, quorum, child));
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Child', child));
  const seen = await read(service, waiting, { organizationId });
  assert.equal(seen.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual([seen.canApprove, seen.canReject], [false, false]);
  assertRefused(await approve(service, waiting, { organizationId }), 400, 3);
  assertRefused(await reject(service, waiting, { organizationId }), 400, 3);
  // In the parent there is no such activity.
  assertRefused(await approve(service, waiting), 404, 5);
  const other = { organizationId, key: testKey('Other root') };
  shownAs('COMPLETED', await approve(service, waiting, other));
});

test('malformed approvals and unknown callers are refused', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const { fingerprint } = waiting;
  const as = by('Second');
  const send = (parameters: object) =>
    service.submit('approve_activity', approveType, parameters, as);
  const before = await storedCount(service);
  for (const [parameters, field] of [
    [{}, 'fingerprint'],
    [{ fingerprint: 1 }, 'fingerprint'],
    [{ fingerprint: [fingerprint] }, 'fingerprint'],
    [{ fingerprint: fingerprint.slice(7) }, 'fingerprint'],
    [{ fingerprint: `${fingerprint}0` }, 'fingerprint'],
    [{ fingerprint, activityId: waiting.id }, 'activityId'],
  ] as const) {
    assertViolation(await send(parameters), `parameters.${field}`);
  }
  // An id is not a fingerprint, although all other requests name activities by their ids.
  const named = await send({ fingerprint: waiting.id });
  assert.equal(
    named.body.message,
    `invalid request body: \`parameters.fingerprint\`: expected the fingerprint of an activity, \`sha256:\` and 64 hex digits, got \`${waiting.id}\``,
  );
  const wrongType = await service.submit('approve_activity', renameType, { fingerprint }, as);
  assertViolation(wrongType, 'type');
  const rejecting = bodyOf(service, 'ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint });
  assertViolation(await sendBody(service, 'approve_activity', rejecting, as), 'type');
  const members = { type: approveType, parameters: { fingerprint } };
  const { organizationId } = service.root;
  const late = { ...members, organizationId, timestampMs: String(service.now() - 3_600_000) };
  const early = { ...late, timestampMs: String(service.now() + 300_001) };
  for (const envelope of [late, early]) {
    const body = utf8(JSON.stringify(envelope));
    assertViolation(await sendBody(service, 'approve_activity', body, as), 'timestampMs');
  }

  const body = bodyOf(service, approveType, { fingerprint });
  assertRefused(await service.send('submit', 'approve_activity', body, []), 401, 16); // REQ-10
  const strange = stampOf(body, testKey('Stranger'));
  assertRefused(await service.send('submit', 'approve_activity', body, [strange]), 401, 16);
  const other = stampOf(bodyOf(service, approveType, { fingerprint }), testKey('Second'));
  assertRefused(await service.send('submit', 'approve_activity', body, [other]), 401, 16);
  assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
  shownAs('COMPLETED', await sendBody(service, 'approve_activity', body, as));
});

test('a fingerprint is found in any letter case, and an unknown fingerprint is not found', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const unknown = `sha256:${'0'.repeat(64)}`;
  await assertNothingChanged(service, () => approve(service, { fingerprint: unknown }), {
    status: 404,
    code: 5,
    text: /^No activity found with fingerprint\. Consensus activities must target an existing activity by fingerprint/,
  });
  // An activity that was decided at once never waited for votes.
  const wallet = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'By two', by('Second')));
  const fingerprint = wallet.fingerprint.toUpperCase().replace('SHA256', 'sha256');
  shownAs('COMPLETED', await approve(service, { fingerprint }));
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
});

test('an unconcerned user is refused with the outcome of the policies', async () => {
  const { service } = voters;
  const policyId = await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const refused = await assertNothingChanged(
    service,
    () => approve(service, waiting, by('Plain')),
    { status: 403, code: 7 },
  );
  const [permission] = refused.body.details;
  assert.equal(permission['@type'], 'type.googleapis.com/errors.v1.PolicyEnginePermissionError');
  assert.deepEqual(permission.policyEvaluations, [
    { policyId, outcome: 'OUTCOME_REQUIRES_CONSENSUS' },
  ]);
  assert.deepEqual(await read(service, waiting, by('Trader')), waiting);
});

test('a user who approves twice has approved once', async () => {
  const { service } = voters;
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  const before = await storedCount(service);
  const again = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  assert.deepEqual(again, voted);
  const submitter = shownAs('CONSENSUS_NEEDED', await approve(service, waiting));
  assert.deepEqual(submitter.votes, voted.votes);
  assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
});

test('a late vote returns the completed activity, and is refused if it contradicts the outcome', async () => {
  const { service } = voters;
  await voters.formQuorum();
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  const before = await storedCount(service);
  assert.deepEqual(shownAs('COMPLETED', await approve(service, waiting, by('Third'))), done);
  assert.deepEqual(shownAs('COMPLETED', await approve(service, waiting)), done);
  await assertNothingChanged(service, () => reject(service, waiting, by('Third')), {
    status: 400,
    code: 9,
    text: /^the activity was decided before this vote: its status is ACTIVITY_STATUS_COMPLETED/,
  });
  assert.deepEqual(await storedCount(service), before);
});

test('the same body from another user is the vote of that user', async () => {
  const { service, ids } = voters;
  await voters.formQuorum();
  const body = bodyOf(service, renameType, { organizationName: 'Together' });
  const send = (name?: string) =>
    sendBody(service, 'update_organization_name', body, name === undefined ? {} : by(name));
  const waiting = shownAs('CONSENSUS_NEEDED', await send());
  assert.deepEqual(shownAs('CONSENSUS_NEEDED', await send()).votes, waiting.votes);
  await assertNothingChanged(service, () => send('Plain'), { status: 403, code: 7 });
  const done = shownAs('COMPLETED', await send('Second'));
  assert.equal(done.id, waiting.id);
  assert.deepEqual(votesOf(done), [
    [ids.root, 'VOTE_SELECTION_APPROVED'],
    [ids.second, 'VOTE_SELECTION_APPROVED'],
  ]);
  assert.deepEqual(
    done.votes.map(({ message }: { message: string }) => message),
    Array(2).fill(new TextDecoder().decode(body)),
  );
  assert.deepEqual(shownAs('COMPLETED', await send('Third')), done);
  assert.equal(await organizationName(service), 'Together');
});

test('an approved activity that has become impossible fails for good', async () => {
  const { service, ids } = voters;
  await voters.formQuorum();
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  const tag = (as = {}) =>
    service.submit('create_user_tag', type, { userTagName: 'Taken', userIds: [] }, as);
  const first = shownAs('CONSENSUS_NEEDED', await tag());
  const second = shownAs('CONSENSUS_NEEDED', await tag(by('Second')));
  shownAs('COMPLETED', await approve(service, first, by('Third')));
  const failed = shownAs('FAILED', await approve(service, second, by('Third')));
  assert.deepEqual(failed.result, {});
  assert.equal(failed.failure.message.length > 0, true);
  assert.deepEqual(Object.keys(failed.failure), ['code', 'message', 'details']);
  assert.deepEqual(votesOf(failed), [
    [ids.second, 'VOTE_SELECTION_APPROVED'],
    [ids.third, 'VOTE_SELECTION_APPROVED'],
  ]);
  assert.deepEqual([failed.canApprove, failed.canReject], [false, false]);
  assert.deepEqual(await read(service, failed), failed);
  for (const vote of [approve, reject]) {
    await assertNothingChanged(service, () => vote(service, failed), {
      status: 400,
      code: 9,
      text: /ACTIVITY_STATUS_FAILED/,
    });
  }
  const { body } = await service.query('list_user_tags');
  const names = body.userTags.map(({ tagName }: { tagName: string }) => tagName);
  assert.equal(names.filter((name: string) => name === 'Taken').length, 1);
});

/** Returns the user and the selection of each vote. */
function votesOf(activity: { votes: { userId: string; selection: string }[] }) {
  return activity.votes.map(({ userId, selection }) => [userId, selection]);
}
