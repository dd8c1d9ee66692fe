// Passkeys as voters: the contents of their votes, quorums of users with passkeys only, and policies that
// require a passkey.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url } from '../../src/core/base/bytes.ts';
import {
  describedPasskey,
  makePasskeys,
  passkeyOf,
  passkeyStamp,
  submitWithPasskey,
} from '../operations/authenticators/authenticator_requests.ts';
import { describedUser, makeUser, makeUsers } from '../operations/users/user_requests.ts';
import { startTestService, type TestAnswer, testKey } from '../support/harness.ts';
import {
  approveType,
  bodyOf,
  organizationName,
  rejectType,
  renameType,
  shownAs,
} from './voting.ts';

test('the vote of a passkey contains its assertion and its key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makePasskeys(service, service.root.userId, ['Root']);
  const body = bodyOf(service, renameType, { organizationName: 'Renamed' });
  const headers = [passkeyStamp(body, 'Root')];
  const answer = await service.send('submit', 'update_organization_name', body, headers);
  const [vote] = shownAs('COMPLETED', answer).votes;
  const { publicKey } = passkeyOf('Root');
  assert.equal(vote.scheme, 'SIGNATURE_SCHEME_TK_WEBAUTHN');
  assert.equal(vote.publicKey, base64url(publicKey));
  assert.equal(vote.message, new TextDecoder().decode(body));
  assert.deepEqual(JSON.parse(vote.signature), JSON.parse(passkeyOf('Root').stamp(body)));
  const shown = vote.user.authenticators.map((each: { credentialId: string }) => each.credentialId);
  assert.ok(shown.includes(base64url(passkeyOf('Root').credentialId)));
});

test('users with only passkeys form a root quorum, by approval, by rejection and by the same body', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const names = ['First', 'Second', 'Third'];
  const userIds = await makeUsers(
    own,
    names.map((name) =>
      describedUser(name, { apiKeys: [], authenticators: [describedPasskey(name)] }),
    ),
  );
  const quorum = { threshold: 2, userIds };
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  assert.equal((await own.submit('update_root_quorum', type, quorum)).status, 200);
  const submit = (name: string, operation: string, kind: string, parameters: object) =>
    submitWithPasskey(own, name, operation, kind, parameters);
  const proposed = async (organizationName: string) => {
    const answer = await submit('First', 'update_organization_name', renameType, {
      organizationName,
    });
    assert.equal(answer.body.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    return answer.body.activity;
  };

  const { fingerprint } = await proposed('Approved');
  const approved = await submit('Second', 'approve_activity', approveType, { fingerprint });
  assert.equal(approved.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const schemes = approved.body.activity.votes.map((vote: { scheme: string }) => vote.scheme);
  assert.deepEqual(schemes, Array(2).fill('SIGNATURE_SCHEME_TK_WEBAUTHN'));
  assert.equal(await organizationName(own), 'Approved');

  const waiting = await proposed('Rejected');
  const rejected = await submit('Third', 'reject_activity', rejectType, {
    fingerprint: waiting.fingerprint,
  });
  assert.equal(rejected.body.activity.status, 'ACTIVITY_STATUS_REJECTED');

  const body = bodyOf(own, renameType, { organizationName: 'Asked for by two' });
  const send = (name: string) =>
    own.send('submit', 'update_organization_name', body, [passkeyStamp(body, name)]);
  assert.equal((await send('Second')).body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.equal((await send('Third')).body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(await organizationName(own), 'Asked for by two');

  // A vote counts while its passkey exists.
  const last = await proposed('By a passkey that is gone');
  const [first = ''] = userIds;
  const passkeys = await own.query('get_authenticators', { userId: first });
  const authenticatorIds = [passkeys.body.authenticators[0].authenticatorId];
  const spare = { userId: first, authenticators: [describedPasskey('Spare')] };
  const create = 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2';
  assert.equal((await submit('First', 'create_authenticators', create, spare)).status, 200);
  const removal = { userId: first, authenticatorIds };
  const deleteType = 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS';
  const deleted = await submit('Spare', 'delete_authenticators', deleteType, removal);
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
  const vote = { fingerprint: last.fingerprint };
  const alone = await submit('Second', 'approve_activity', approveType, vote);
  assert.equal(alone.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const both = await submit('Spare', 'approve_activity', approveType, vote);
  assert.equal(both.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
});

test('policies see the passkey that was used', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const alice = await makeUser(own, 'Alice');
  await makePasskeys(own, alice, ['Of Alice', 'Other']);
  const { credentialId, publicKey } = passkeyOf('Of Alice');
  const type = 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR';
  const consensus = `credentials.any(c, c.type == '${type}' && c.user_id == '${alice}' && c.credential_id == '${base64url(credentialId)}' && c.public_key == '${base64url(publicKey)}')`;
  const policy = {
    policyName: 'By this passkey',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_WALLET'",
    consensus,
    notes: '',
  };
  const policyType = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
  const saved = await own.submit('create_policy', policyType, policy);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.equal(saved.body.warnings, undefined);
  const walletType = 'ACTIVITY_TYPE_CREATE_WALLET';
  const wallet = (walletName: string) => ({ walletName, accounts: [] });
  const as = { key: testKey('Alice') };
  const statusOf = ({ body }: TestAnswer) => body.activity?.status ?? body.turnkeyErrorCode;

  const byPasskey = await submitWithPasskey(
    own,
    'Of Alice',
    'create_wallet',
    walletType,
    wallet('One'),
  );
  assert.equal(statusOf(byPasskey), 'ACTIVITY_STATUS_COMPLETED');
  // Another passkey and the API key of the same user do not match the policy.
  const byOther = await submitWithPasskey(own, 'Other', 'create_wallet', walletType, wallet('Two'));
  assert.equal(statusOf(byOther), 'REQUEST_NOT_AUTHORIZED');
  const byKey = await own.submit('create_wallet', walletType, wallet('Three'), as);
  assert.equal(statusOf(byKey), 'REQUEST_NOT_AUTHORIZED');
  // If two users must approve, one with this passkey, a request of the other waits.
  await makeUser(own, 'Bob');
  const second = {
    ...policy,
    policyName: 'By two',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    consensus: `approvers.count() >= 2 && ${consensus}`,
  };
  assert.equal((await own.submit('create_policy', policyType, second)).status, 200);
  const tag = { userTagName: 'Tag', userIds: [] };
  const tagType = 'ACTIVITY_TYPE_CREATE_USER_TAG';
  const asked = await own.submit('create_user_tag', tagType, tag, { key: testKey('Bob') });
  assert.equal(statusOf(asked), 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const vote = { fingerprint: asked.body.activity.fingerprint };
  const inVain = await submitWithPasskey(own, 'Other', 'approve_activity', approveType, vote);
  assert.equal(statusOf(inVain), 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const approved = await submitWithPasskey(own, 'Of Alice', 'approve_activity', approveType, vote);
  assert.equal(statusOf(approved), 'ACTIVITY_STATUS_COMPLETED');
});
