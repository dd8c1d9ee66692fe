import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countedVoters,
  otherVoters,
  trackOpenActivity,
  withVote,
} from '../../../src/core/activity/votes.ts';
import type { OrganizationHead } from '../../../src/core/organization/model.ts';
import type { Activity, Vote } from '../../../src/core/organization/records/activity.ts';
import { createDraft, newOrganizationState } from '../../../src/core/organization/state.ts';
import { voterWith } from '../../../src/core/policy/decision/facts.ts';
import type { Credential } from '../../../src/core/users/credentials.ts';

const times = { createdAtMs: 0, updatedAtMs: 0 };
const head: OrganizationHead = {
  name: 'Organization',
  rootQuorum: { threshold: 1, userIds: ['root'] },
  features: [],
  ...times,
};
const newDraft = () => createDraft(newOrganizationState('organization', undefined, head));

const activity: Activity = {
  id: 'activity',
  organizationId: 'organization',
  type: 'type',
  status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  intent: {},
  result: {},
  votes: [],
  fingerprint: 'fingerprint',
  submitterId: 'user',
  evaluations: [],
  version: 1,
  ...times,
};

const vote = (userId: string, message = ''): Vote => ({
  id: `vote of ${userId}`,
  userId,
  user: {
    userId,
    userName: userId,
    apiKeys: [],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
    mfaPolicies: [],
    createdAt: { seconds: '0', nanos: '0' },
    updatedAt: { seconds: '0', nanos: '0' },
  },
  selection: 'VOTE_SELECTION_APPROVED',
  message,
  publicKey: '',
  signature: '',
  scheme: '',
  credentialId: '',
  createdAtMs: 0,
});

const limitReached = { code: 'limit_exceeded' };

test('several voters share one list of all other users', () => {
  const organization = newDraft();
  const users = ['one', 'two', 'three'].map((id) => ({ id, name: id, tagIds: [], ...times }));
  for (const user of users) organization.put('user', user);
  const credential: Credential = {
    id: 'key',
    userId: 'one',
    publicKey: '',
    credentialId: '',
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    method: { type: 'AUTHENTICATION_TYPE_API_KEY', id: 'key' },
  };
  const voters = users.slice(0, 2).map((user) => voterWith(user, credential));
  const others = otherVoters(voters, organization);
  assert.deepEqual(
    others.map(({ userId }) => userId),
    ['three'],
  );
});

test('the vote of a frozen user does not count', () => {
  const organization = newDraft();
  const names = ['frozen', 'active'];
  for (const name of names) {
    organization.put('user', { id: name, name, tagIds: [], ...times });
    const key = { id: `key of ${name}`, userId: name, name, publicKey: name, ...times };
    organization.put('api_key', { ...key, type: 'CREDENTIAL_TYPE_API_KEY_P256' });
  }
  const freeze = { id: 'freeze', userId: 'root', type: 'FREEZE_TYPE_USER', ...times } as const;
  const votes = names.map((name) => ({ ...vote(name), credentialId: `key of ${name}` }));
  const counted = () =>
    countedVoters({ type: 'type', votes }, organization, 1, () => true).map(({ userId }) => userId);
  assert.deepEqual(counted(), names);
  organization.put('freeze', { ...freeze, resourceId: 'frozen' });
  assert.deepEqual(counted(), ['active']);
});

test('a user has one vote, the newest', () => {
  const votes = [vote('one'), vote('two')];
  assert.deepEqual(withVote(votes, vote('one', 'again')), [vote('two'), vote('one', 'again')]);
});

test('an activity that never waited completes without a change of the organization', () => {
  const organization = newDraft();
  trackOpenActivity(activity, false, organization);
  assert.deepEqual(organization.changes().records, []);
  trackOpenActivity(activity, true, organization);
  assert.equal(organization.get('open_activity', 'activity')?.activityVersion, 1);
  trackOpenActivity({ ...activity, version: 2 }, true, organization);
  assert.equal(organization.get('open_activity', 'activity')?.activityVersion, 2);
  trackOpenActivity(activity, false, organization);
  assert.equal(organization.get('open_activity', 'activity'), undefined);
});

test('nine hundred activities of users outside the root quorum may wait', () => {
  const organization = newDraft();
  for (let i = 0; i < 900; i += 1) {
    const one = { ...activity, id: `activity ${i}`, submitterId: `user ${i}` };
    trackOpenActivity(one, true, organization);
  }
  assert.throws(() => trackOpenActivity(activity, true, organization), limitReached);
  trackOpenActivity({ ...activity, submitterId: 'root' }, true, organization);
  // Waiting activities still take votes.
  trackOpenActivity({ ...activity, id: 'activity 0', version: 2 }, true, organization);
});

test('six hundred activities of one user may wait', () => {
  const organization = newDraft();
  for (let i = 0; i < 600; i += 1) {
    trackOpenActivity({ ...activity, id: `activity ${i}` }, true, organization);
  }
  assert.throws(() => trackOpenActivity(activity, true, organization), limitReached);
  trackOpenActivity({ ...activity, submitterId: 'other' }, true, organization);
});

test('the last fifty places are for users with fewer than five waiting activities', () => {
  const organization = newDraft();
  const submit = (submitterId: string, id: string) =>
    trackOpenActivity({ ...activity, id, submitterId }, true, organization);
  for (let i = 0; i < 850; i += 1) {
    const others = i < 9 ? 'with four' : `user ${i}`;
    submit(i < 5 ? 'with five' : others, `activity ${i}`);
  }
  assert.throws(() => submit('with five', 'a sixth'), limitReached);
  submit('with four', 'a fifth');
});

test('a waiting activity takes 300 votes, and 1 MiB of votes besides its request', () => {
  const organization = newDraft();
  trackOpenActivity({ ...activity, version: 300 }, true, organization);
  const more = { ...activity, version: 301 };
  assert.throws(() => trackOpenActivity(more, true, organization), limitReached);
  const request = 'r'.repeat(1000);
  const votes = [vote('one', request), vote('two', 'v'.repeat(1024 * 1024))];
  trackOpenActivity({ ...activity, request, votes }, true, organization);
  const longer = { ...activity, request, votes: [...votes, vote('three', 'v')] };
  assert.throws(() => trackOpenActivity(longer, true, organization), limitReached);
  // An activity may complete despite its length.
  trackOpenActivity(longer, false, organization);
});
