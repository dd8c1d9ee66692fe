// Votes count if their user and credential still exist and the vote is not older than a day. All rules are
// those at the time of the last vote.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { base64url, utf8 } from '../../src/core/base/bytes.ts';
import { makeApiKeys } from '../operations/api_keys/api_key_requests.ts';
import { assertRefused } from '../operations/checks.ts';
import {
  sealedCode,
  startedOtp,
  submit,
  verifyOtp,
} from '../operations/one_time_codes/otp_requests.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makePrivateKeys } from '../operations/private_keys/private_key_requests.ts';
import { describedKey, makeUser, makeUserTag } from '../operations/users/user_requests.ts';
import { testKey } from '../support/harness.ts';
import {
  approve,
  approvedByTag,
  assertNothingChanged,
  by,
  changeQuorum,
  dayMs,
  makeWallet,
  organizationName,
  read,
  reject,
  rename,
  type Shown,
  shownAs,
  startVoters,
  type Voters,
} from './voting.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

const userIdsOf = (activity: Shown) =>
  activity.votes.map(({ userId }: { userId: string }) => userId);

/** Creates a wallet request of the trader that three users with tags must approve. */
async function waitingForThree() {
  const { service, traders, officers } = voters;
  const policyId = await makePolicy(service, 'Three', {
    consensus: `approvers.count() >= 3 && ${approvedByTag(traders)} && ${approvedByTag(officers)}`,
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  return { policyId, waiting };
}

async function removeUser(userId: string, as = {}): Promise<void> {
  const parameters = { userIds: [userId] };
  const type = 'ACTIVITY_TYPE_DELETE_USERS';
  shownAs('COMPLETED', await voters.service.submit('delete_users', type, parameters, as));
}

/** Deletes a key of a user by its name. */
async function removeKey(userId: string, name: string): Promise<void> {
  const { service } = voters;
  const { body } = await service.query('get_api_keys', { userId });
  const key = body.apiKeys.find((one: { apiKeyName: string }) => one.apiKeyName === name);
  const parameters = { userId, apiKeyIds: [key.apiKeyId] };
  const type = 'ACTIVITY_TYPE_DELETE_API_KEYS';
  shownAs('COMPLETED', await service.submit('delete_api_keys', type, parameters));
}

test('a vote counts for a day, and must be repeated after it', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const askedAtMs = service.now();
  service.advance(1_000);
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  const votedAtMs = service.now();
  // The last moment of the first vote: the next request is sent a millisecond later.
  service.advance(askedAtMs + dayMs - 2 - service.now());
  assert.equal((await read(service, waiting)).canApprove, false, 'it still counts');
  service.advance(1);
  assert.equal((await read(service, waiting)).canApprove, false, 'for one more millisecond');
  service.advance(1);
  assert.equal((await read(service, waiting)).canApprove, true, 'it does not count any more');
  assert.equal((await read(service, waiting, by('Second'))).canApprove, false);

  const third = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Third')));
  assert.deepEqual(userIdsOf(third), [ids.root, ids.second, ids.third], 'all are kept');
  assert.equal(await organizationName(service), 'Test organization');
  // The submitter approves again, just before the second vote expires, so three votes count.
  service.advance(votedAtMs + dayMs - 2 - service.now());
  const done = shownAs('COMPLETED', await approve(service, waiting));
  assert.deepEqual(userIdsOf(done), [ids.second, ids.third, ids.root]);
  assert.equal(done.id, voted.id);
  assert.equal(await organizationName(service), 'Renamed');
});

test('a vote that is a day old does not count', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(2);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  service.advance(dayMs - 1);
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  assert.deepEqual(userIdsOf(voted), [ids.root, ids.second]);
  const done = shownAs('COMPLETED', await approve(service, waiting));
  assert.deepEqual(userIdsOf(done), [ids.second, ids.root], 'a user has one vote, the newest');
});

test('an activity waits until a user rejects it', async () => {
  const { service } = voters;
  await voters.bothTags();
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  service.advance(400 * dayMs);
  const voted = await approve(service, waiting, by('Officer'));
  shownAs('CONSENSUS_NEEDED', voted);
  assert.equal(voted.body.decision.outcome, 'WAIT', 'the trader can approve once more');
  assert.equal(voted.body.decision.reason, 'AWAITS_POLICY_VOTES');
  shownAs('COMPLETED', await approve(service, waiting, by('Trader')));
});

test('expired votes do not turn a waiting activity into a refused one', async () => {
  const { service, traders } = voters;
  const both = `${approvedByTag(traders)} && approvers.count() >= 2`;
  await makePolicy(service, 'Trader and another', { consensus: both });
  await makePolicy(service, 'Not alone', {
    effect: 'EFFECT_DENY',
    consensus: 'approvers.count() < 2',
  });
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  service.advance(dayMs);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  shownAs('COMPLETED', await approve(service, waiting, by('Trader')));
});

test('the vote of a deleted user does not count, and is still shown', async () => {
  const { service, ids } = voters;
  const { waiting } = await waitingForThree();
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  await removeUser(ids.officer);
  const next = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  assert.deepEqual(userIdsOf(next), [ids.trader, ids.officer, ids.plain]);
  assert.deepEqual(next.votes.slice(0, 2), voted.votes);
  // Another user with the same tag.
  const { officers } = voters;
  const officer = await makeUser(service, 'New officer', { userTags: [officers] });
  const done = shownAs('COMPLETED', await approve(service, waiting, by('New officer')));
  assert.deepEqual(userIdsOf(done), [ids.trader, ids.officer, ids.plain, officer]);
});

test('a user with the name, the tag and the key of a deleted user is another user', async () => {
  const { service, ids, officers } = voters;
  const { waiting } = await waitingForThree();
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  await removeUser(ids.officer);
  const again = await makeUser(service, 'Officer', { userTags: [officers] });
  assert.notEqual(again, ids.officer);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
});

test('a vote by a deleted credential does not count, even if its key is registered again', async () => {
  const { service, ids } = voters;
  const { waiting } = await waitingForThree();
  await makeApiKeys(service, ids.officer, [describedKey('Other key')]);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  await removeKey(ids.officer, 'Officer');
  const seen = await read(service, waiting, by('Other key'));
  assert.deepEqual([seen.canApprove, seen.canReject], [true, true]);
  await makeApiKeys(service, ids.officer, [describedKey('Officer')]);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  assert.deepEqual(userIdsOf(done), [ids.trader, ids.plain, ids.officer]);
});

test('another user cannot restore a dropped vote by registering its key', async () => {
  const { service, ids, officers } = voters;
  const { waiting } = await waitingForThree();
  await makeApiKeys(service, ids.officer, [describedKey('Other key')]);
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  const [, { message, publicKey, signature, scheme }] = voted.votes;
  const replay = (key: string) => {
    const stamp = base64url(utf8(JSON.stringify({ publicKey: key, signature, scheme })));
    const header = { name: 'x-stamp', value: stamp };
    return service.send('submit', 'approve_activity', utf8(message), [header]);
  };
  await removeKey(ids.officer, 'Officer');
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  assert.notEqual((await replay(publicKey)).status, 200);

  // The same user again, also in upper case.
  await makeApiKeys(service, ids.officer, [describedKey('Officer')]);
  for (const key of [publicKey, publicKey.toUpperCase()]) {
    assert.deepEqual(shownAs('CONSENSUS_NEEDED', await replay(key)).votes.length, 3);
  }
  // A new user in the place of the deleted one.
  await removeUser(ids.officer);
  await makeUser(service, 'Officer', { userTags: [officers] });
  shownAs('CONSENSUS_NEEDED', await replay(publicKey));
  shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
});

test('a key that moved to another user brings no earlier vote, even after its user voted again', async () => {
  const { service, ids } = voters;
  const { waiting } = await waitingForThree();
  await makeApiKeys(service, ids.officer, [describedKey('Other key')]);
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  const [, { message, publicKey, signature, scheme }] = voted.votes;
  await removeKey(ids.officer, 'Officer');
  // The second vote replaces the first, so the activity no longer shows the bytes of the first.
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Other key')));
  const heir = await makeUser(service, 'Heir', { apiKeys: [describedKey('Officer')] });
  const stamp = base64url(utf8(JSON.stringify({ publicKey, signature, scheme })));
  const header = { name: 'x-stamp', value: stamp };
  const replay = await service.send('submit', 'approve_activity', utf8(message), [header]);
  assert.deepEqual(userIdsOf(shownAs('CONSENSUS_NEEDED', replay)), [ids.trader, ids.officer]);
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Officer')));
  assert.deepEqual(userIdsOf(done), [ids.trader, ids.officer, heir]);
});

test('a key that moved to another user brings no vote with it', async () => {
  const { service, ids, officers } = voters;
  const { waiting } = await waitingForThree();
  await makeApiKeys(service, ids.officer, [describedKey('Other key')]);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  await removeKey(ids.officer, 'Officer');
  const heir = await makeUser(service, 'Heir', { apiKeys: [describedKey('Officer')] });
  const seen = await read(service, waiting, by('Officer'));
  assert.equal(seen.canApprove, true, 'the new holder has not voted');
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  assert.deepEqual(userIdsOf(voted), [ids.trader, ids.officer, heir]);
  const type = 'ACTIVITY_TYPE_UPDATE_USER_TAG';
  const change = { userTagId: officers, addUserIds: [heir], removeUserIds: [] };
  shownAs('COMPLETED', await service.submit('update_user_tag', type, change));
  shownAs('COMPLETED', await approve(service, waiting, by('Plain')));
});

test('a vote outlives the expiry of its key', async () => {
  const { service, ids } = voters;
  const { waiting } = await waitingForThree();
  const session = describedKey('Session', { expirationSeconds: '60' });
  await makeApiKeys(service, ids.officer, [session]);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Session')));
  service.advance(61_000);
  assertRefused(await approve(service, waiting, by('Session')), 401, 16);
  shownAs('COMPLETED', await approve(service, waiting, by('Plain')));
});

test('two credentials of one user are one approver', async () => {
  const { service, ids } = voters;
  await makePolicy(service, 'Two users', { consensus: 'approvers.count() >= 2' });
  await makeApiKeys(service, ids.trader, [describedKey('Trader too')]);
  const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
  const again = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Trader too')));
  assert.deepEqual(again.votes, waiting.votes);
  shownAs('COMPLETED', await approve(service, waiting, by('Plain')));
});

test('a policy that is changed meanwhile decides in its new form', async () => {
  const { service, ids } = voters;
  const { waiting, policyId } = await waitingForThree();
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
  const update = (changes: object) =>
    service.submit('update_policy', type, { policyId, ...changes });
  const four = `approvers.count() >= 4 && ${approvedByTag(voters.traders)}`;
  shownAs('COMPLETED', await update({ policyConsensus: four }));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  const two = 'approvers.count() >= 2';
  shownAs('COMPLETED', await update({ policyConsensus: two }));
  const seen = await read(service, waiting);
  assert.equal(seen.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', 'a vote decides, not a policy');
  const done = shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  assert.deepEqual(userIdsOf(done), [ids.trader, ids.plain, ids.officer, ids.second]);
});

test('a policy that denies meanwhile ends the activity at the next vote', async () => {
  const { service } = voters;
  const { waiting } = await waitingForThree();
  const deny = await makePolicy(service, 'No wallets', {
    effect: 'EFFECT_DENY',
    consensus: 'approvers.count() >= 1',
  });
  const failed = shownAs('FAILED', await approve(service, waiting, by('Plain')));
  assert.equal(failed.failure.code, 7);
  assert.match(failed.failure.details[0].message, new RegExp(`denied this action: ${deny}`));
  assert.equal(failed.votes.length, 2);
  assertRefused(await approve(service, waiting, by('Officer')), 400, 9);
});

test('after its policy was deleted only the root quorum can decide', async () => {
  const { service } = voters;
  const { waiting, policyId } = await waitingForThree();
  const type = 'ACTIVITY_TYPE_DELETE_POLICY';
  shownAs('COMPLETED', await service.submit('delete_policy', type, { policyId }));
  for (const vote of [approve, reject]) {
    await assertNothingChanged(service, () => vote(service, waiting, by('Officer')), {
      status: 403,
      code: 7,
    });
  }
  const { canApprove, canReject } = await read(service, waiting, by('Officer'));
  assert.deepEqual([canApprove, canReject], [false, false]);
  const ofSubmitter = await read(service, waiting, by('Trader'));
  assert.deepEqual([ofSubmitter.canApprove, ofSubmitter.canReject], [false, true]);
  shownAs('COMPLETED', await approve(service, waiting));
});

test('a root quorum that is changed meanwhile decides in its new form', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(2);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed', by('Second')));
  // The submitter left the quorum, so both members of the new one must approve.
  const userIds = [ids.root, ids.third];
  await changeQuorum(service, { threshold: 2, userIds }, [{}, by('Third')]);
  const { canApprove, canReject } = await read(service, waiting, by('Second'));
  assert.deepEqual([canApprove, canReject], [false, true], 'whoever asked may only take it back');
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Third')));
  shownAs('COMPLETED', await approve(service, waiting));
  assert.equal(await organizationName(service), 'Renamed');
});

test('if the existing votes suffice by now, any of their voters completes the activity', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const voted = shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  const both = [ids.root, ids.second];
  await changeQuorum(service, { threshold: 2, userIds: both }, [{}, by('Second'), by('Third')]);
  for (const as of [{}, by('Second')]) {
    const seen = await read(service, waiting, as);
    assert.deepEqual([seen.status, seen.canApprove], [waiting.status, true]);
    assert.deepEqual(seen.votes, voted.votes);
  }
  assert.equal((await read(service, waiting, by('Third'))).canApprove, false);
  const done = shownAs('COMPLETED', await approve(service, waiting));
  assert.deepEqual(userIdsOf(done), [ids.second, ids.root], 'a user has one vote, the newest');
  assert.equal(await organizationName(service), 'Renamed');
});

test('a higher threshold applies to waiting activities', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(2);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const userIds = [ids.root, ids.second, ids.third];
  await changeQuorum(service, { threshold: 3, userIds }, [{}, by('Second')]);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  assert.equal(await organizationName(service), 'Test organization');
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
});

test('added tags make approvers, and removed tags unmake them', async () => {
  const { service, ids, officers } = voters;
  const { waiting } = await waitingForThree();
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Officer')));
  const type = 'ACTIVITY_TYPE_UPDATE_USER_TAG';
  const change = (addUserIds: string[], removeUserIds: string[]) =>
    service.submit('update_user_tag', type, { userTagId: officers, addUserIds, removeUserIds });
  shownAs('COMPLETED', await change([], [ids.officer]));
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Plain')));
  shownAs('COMPLETED', await change([ids.second], []));
  shownAs('COMPLETED', await approve(service, waiting, by('Second')));
});

test('an activity of a submitter who was deleted can only be rejected', async () => {
  const { service, ids } = voters;
  const { waiting } = await waitingForThree();
  await removeUser(ids.trader);
  await assertNothingChanged(service, () => approve(service, waiting), {
    status: 400,
    code: 9,
    text: /^the user who submitted the activity is no longer in the organization/,
  });
  const rights = async (as = {}) => {
    const { canApprove, canReject } = await read(service, waiting, as);
    return [canApprove, canReject];
  };
  assert.deepEqual(await rights(), [false, true]);
  assert.deepEqual(await rights(by('Officer')), [false, false]);
  assertRefused(await reject(service, waiting, by('Officer')), 400, 9);
  shownAs('REJECTED', await reject(service, waiting));
});

test('an activity that has become impossible fails at the vote that would have sufficed', async () => {
  const { service, officers } = voters;
  await makePolicy(service, 'Tags', { condition: "activity.resource == 'USER'" });
  const tag = await makeUserTag(service, 'Short-lived');
  const type = 'ACTIVITY_TYPE_DELETE_USER_TAGS';
  const deletion = (userTagIds: string[], as = {}) =>
    service.submit('delete_user_tags', type, { userTagIds }, as);
  const waiting = shownAs('CONSENSUS_NEEDED', await deletion([tag, officers], by('Trader')));
  shownAs('COMPLETED', await deletion([tag]));
  const failed = shownAs('FAILED', await approve(service, waiting, by('Officer')));
  assert.equal(failed.failure.code, 5);
  await changeOrganization(service, (draft) => {
    assert.equal(draft.get('open_activity', waiting.id), undefined, 'it waits no more');
    return undefined;
  });
  const { body } = await service.query('list_user_tags');
  const names = body.userTags.map(({ tagName }: { tagName: string }) => tagName);
  assert.deepEqual(names, ['Traders', 'Officers'], 'nothing of it is done');
});

test('a wrong code that others approved ends its activity, and no vote can follow', async () => {
  const { service, traders } = voters;
  const isCode = "activity.type == 'ACTIVITY_TYPE_VERIFY_OTP_V2'";
  await makePolicy(service, 'Codes', {
    condition: isCode,
    consensus: `${approvedByTag(traders)} && approvers.count() >= 2`,
  });
  const { otpId, bundle, code } = await startedOtp(service);
  const wrong = (code[0] === '2' ? '3' : '2') + code.slice(1);
  const parameters = { otpId, encryptedOtpBundle: await sealedCode(wrong, bundle) };
  const waiting = shownAs(
    'CONSENSUS_NEEDED',
    await submit(service, verifyOtp, parameters, by('Trader')),
  );
  assertRefused(await approve(service, waiting), 400, 3);
  assert.equal((await read(service, waiting)).status, 'ACTIVITY_STATUS_FAILED');
  const decided = { status: 400, code: 9 };
  await assertNothingChanged(service, () => approve(service, waiting), decided);
  await assertNothingChanged(service, () => reject(service, waiting), decided);
});

test('an activity whose key was deleted can only be rejected', async () => {
  const { service } = voters;
  await makePolicy(service, 'Signing', { condition: "activity.action == 'SIGN'" });
  const [key] = await makePrivateKeys(service);
  assert(key !== undefined);
  const { privateKeyId } = key;
  const sign = {
    signWith: privateKeyId,
    payload: 'text',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const asked = await service.submit('sign_raw_payload', type, sign, by('Trader'));
  const waiting = shownAs('CONSENSUS_NEEDED', asked);
  const deletion = { privateKeyIds: [privateKeyId], deleteWithoutExport: true };
  const deletionType = 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS';
  shownAs('COMPLETED', await service.submit('delete_private_keys', deletionType, deletion));
  for (const vote of [approve, reject]) {
    await assertNothingChanged(service, () => vote(service, waiting, by('Officer')), {
      status: 404,
      code: 5,
    });
  }
  const { canApprove, canReject } = await read(service, waiting, by('Trader'));
  assert.deepEqual([canApprove, canReject], [false, true]);
  const statuses = await service.query('get_mfa_status', { activityId: waiting.id });
  assert.deepEqual([statuses.status, statuses.body.mfaStatuses], [200, []]);
  shownAs('REJECTED', await reject(service, waiting, by('Trader')));
});

test('a deleted key gives its user no vote', async () => {
  const { service, ids } = voters;
  const { waiting } = await waitingForThree();
  await makeApiKeys(service, ids.officer, [describedKey('Other key')]);
  await removeKey(ids.officer, 'Officer');
  assertRefused(await approve(service, waiting, { key: testKey('Officer') }), 401, 16);
  shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Other key')));
});
