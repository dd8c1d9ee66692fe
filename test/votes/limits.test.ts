// Limits on waiting activities, and on the votes of one activity.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { OpenActivity } from '../../src/core/organization/model.ts';
import { assertRefused } from '../operations/checks.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import type { Sender } from '../support/harness.ts';
import { raiseVersions } from './many_votes.ts';
import {
  approve,
  approveType,
  assertNothingChanged,
  bodyOf,
  by,
  makeWallet,
  reject,
  rename,
  sendBody,
  shownAs,
  startVoters,
  type Voters,
} from './voting.ts';

let voters: Voters;
beforeEach(async () => {
  voters = await startVoters();
});
afterEach(() => voters.service.close());

test('a thousand activities may wait, the last hundred only of members of the root quorum', async () => {
  const { service } = voters;
  await voters.bothTags();
  await voters.formQuorum(2);
  const first = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'First', by('Trader')));
  await fillWaiting(898);
  shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'Last', by('Trader')));
  const more = () => makeWallet(service, 'More', by('Trader'));
  const text = (limit: number) =>
    new RegExp(`^organization has exceeded maximum activities that wait for votes: .* ${limit}$`);
  await assertNothingChanged(service, more, { status: 429, code: 8, text: text(900) });

  // No other user can use up the places of the root quorum.
  const renaming = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  await fillWaiting(99);
  const another = () => rename(service, 'Another');
  await assertNothingChanged(service, another, { status: 429, code: 8, text: text(1000) });
  // A decided activity frees its place.
  shownAs('COMPLETED', await approve(service, renaming, by('Second')));
  shownAs('CONSENSUS_NEEDED', await another());
  shownAs('COMPLETED', await approve(service, first, by('Officer')));
  await assertNothingChanged(service, more, { status: 429, code: 8, text: text(900) });
});

test('a user with six hundred waiting activities does not block requests of other users', async () => {
  const { service } = voters;
  await voters.bothTags();
  await voters.formQuorum(2);
  const first = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'First', by('Trader')));
  const { submitterId } = await rowOf(first.id);
  assert(submitterId !== undefined);
  await fillWaiting(599, submitterId);
  const more = () => makeWallet(service, 'More', by('Trader'));
  const text = /^user has exceeded maximum activities that wait for votes: .* 600$/;
  await assertNothingChanged(service, more, { status: 429, code: 8, text });
  // Other users may still submit, and votes are accepted.
  shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  await fillWaiting(200, 'another user');
  shownAs('COMPLETED', await approve(service, first, by('Officer')));
  shownAs('CONSENSUS_NEEDED', await more());
});

test('two users together leave places for a user with few waiting activities', async () => {
  const { service } = voters;
  await voters.bothTags();
  await voters.formQuorum(2);
  const first = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'First', by('Trader')));
  const { submitterId } = await rowOf(first.id);
  assert(submitterId !== undefined);
  await fillWaiting(600, 'another user');
  await fillWaiting(249, submitterId);
  const more = (as: Sender) => () => makeWallet(service, 'More', as);
  const refusal = { status: 429, code: 8, text: /activities that wait for votes: .* 850$/ };
  await assertNothingChanged(service, more(by('Trader')), refusal);
  for (let i = 0; i < 5; i += 1) shownAs('CONSENSUS_NEEDED', await more(by('Officer'))());
  await assertNothingChanged(service, more(by('Officer')), refusal);
  shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
});

test('a member of the root quorum does not block requests of another member', async () => {
  const { service, ids } = voters;
  await voters.formQuorum(2);
  await fillWaiting(600, ids.root);
  const own = () => rename(service, 'Own');
  const text = (limit: number) => new RegExp(`activities that wait for votes: .* ${limit}$`);
  await assertNothingChanged(service, own, { status: 429, code: 8, text: text(600) });
  await fillWaiting(345, ids.third);
  for (let i = 0; i < 5; i += 1) {
    shownAs('CONSENSUS_NEEDED', await rename(service, `Renamed ${i}`, by('Third')));
  }
  const third = () => rename(service, 'Once more', by('Third'));
  await assertNothingChanged(service, third, { status: 429, code: 8, text: text(950) });
  shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed by the second', by('Second')));
});

test('an activity takes 300 votes while it waits; then it can only be decided', async () => {
  const { service } = voters;
  await voters.formQuorum(3);
  const approved = shownAs('CONSENSUS_NEEDED', await rename(service, 'Approved'));
  const rejected = shownAs('CONSENSUS_NEEDED', await rename(service, 'Rejected'));
  await raiseVersions(service, 299);
  for (const waiting of [approved, rejected]) {
    shownAs('CONSENSUS_NEEDED', await approve(service, waiting, by('Second')));
  }
  service.advance(2 * 86_400_000);
  const refused = await approve(service, approved);
  assertRefused(refused, 429, 8);
  assert.match(refused.body.message, /^activity has exceeded maximum votes: the limit is 300/);
  shownAs('REJECTED', await reject(service, rejected));
  const quorum = { threshold: 1, userIds: [service.root.userId] };
  await changeOrganization(service, (draft) => {
    draft.setHead({ rootQuorum: quorum });
    return undefined;
  });
  shownAs('COMPLETED', await approve(service, approved));
});

test('the bodies of voters fit in addition to the body of the submitter', async () => {
  const { service } = voters;
  await voters.formQuorum(3);
  const waiting = shownAs('CONSENSUS_NEEDED', await rename(service, 'Renamed'));
  const { fingerprint } = waiting;
  const approveAtLength = (length: number, name: string) => {
    const body = bodyOf(service, approveType, { fingerprint });
    return sendBody(service, 'approve_activity', padded(body, length), by(name));
  };
  const refused = await approveAtLength(1024 * 1024 + 1, 'Second');
  assertRefused(refused, 429, 8);
  assert.match(refused.body.message, /^activity has exceeded maximum characters of votes/);
  shownAs('CONSENSUS_NEEDED', await approveAtLength(1024 * 1024, 'Second'));
  // The deciding vote is accepted at any length.
  shownAs('COMPLETED', await approveAtLength(100_000, 'Third'));
});

test('a long body signed by other users counts as their vote', async () => {
  const { service } = voters;
  await voters.formQuorum(3);
  const parameters = { userTagName: 'Tag', userIds: [] };
  const body = bodyOf(service, 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters);
  const long = padded(body, 600_000);
  const send = (as = {}) => sendBody(service, 'create_user_tag', long, as);
  const waiting = shownAs('CONSENSUS_NEEDED', await send());
  shownAs('CONSENSUS_NEEDED', await send(by('Second')));
  shownAs('COMPLETED', await approve(service, waiting, by('Third')));
});

/** Returns the stored row of the organization about a waiting activity. */
async function rowOf(activityId: string): Promise<OpenActivity> {
  let found: OpenActivity | undefined;
  await changeOrganization(voters.service, (draft) => {
    found = draft.get('open_activity', activityId);
    return undefined;
  });
  assert(found !== undefined);
  return found;
}

/** Writes this number of further waiting activities. */
function fillWaiting(count: number, submitterId = 'somebody'): Promise<void> {
  const { service } = voters;
  return changeOrganization(service, (draft, newId) => {
    for (let i = 0; i < count; i += 1) {
      const id = newId();
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      const fingerprint = `sha256:${id.replaceAll('-', '').padStart(64, '0')}`;
      const status = 'ACTIVITY_STATUS_CONSENSUS_NEEDED' as const;
      const row = { id, activityVersion: 1, status, fingerprint, submitterId, ...times };
      draft.put('open_activity', row);
    }
    return undefined;
  });
}

/** Returns the body with trailing blanks: another message with the same meaning. */
function padded(body: Uint8Array, length: number): Uint8Array {
  const long = new Uint8Array(length).fill(0x20);
  long.set(body);
  return long;
}
