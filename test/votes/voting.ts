// An organization whose users vote, and their requests.

import assert from 'node:assert/strict';
import { utf8 } from '../../src/core/base/bytes.ts';
import { storedCount } from '../operations/checks.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser, makeUserTag } from '../operations/users/user_requests.ts';
import {
  type Sender,
  stampOf,
  startTestService,
  type TestAnswer,
  type TestService,
  testKey,
} from '../support/harness.ts';

export const approveType = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
export const rejectType = 'ACTIVITY_TYPE_REJECT_ACTIVITY';
export const renameType = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';

/** A vote counts for a day. */
export const dayMs = 24 * 60 * 60 * 1000;

/** An activity as answers show it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export type Shown = any;

/** Returns a sender by the name of its key, in the first organization. */
export const by = (name: string): Sender => ({ key: testKey(name) });

export const approve = (service: TestService, { fingerprint }: Shown, as: Sender = {}) =>
  service.submit('approve_activity', approveType, { fingerprint }, as);

export const reject = (service: TestService, { fingerprint }: Shown, as: Sender = {}) =>
  service.submit('reject_activity', rejectType, { fingerprint }, as);

export const rename = (service: TestService, organizationName: string, as: Sender = {}) =>
  service.submit('update_organization_name', renameType, { organizationName }, as);

export const makeWallet = (service: TestService, walletName: string, as: Sender = {}) =>
  service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [] }, as);

/** Returns a body with its own timestamp, which any user may send. */
export function bodyOf(service: TestService, type: string, parameters: object): Uint8Array {
  service.advance(1);
  const { organizationId } = service.root;
  const timestampMs = String(service.now());
  return utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
}

export const sendBody = (
  service: TestService,
  operation: string,
  body: Uint8Array,
  { key = service.root.key }: Sender = {},
) => service.send('submit', operation, body, [stampOf(body, key)]);

/** Returns the activity of a successful answer with this status. */
export function shownAs(status: string, answer: TestAnswer): Shown {
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 500));
  assert.equal(answer.body.activity.status, `ACTIVITY_STATUS_${status}`);
  return answer.body.activity;
}

/** Returns the activity as a user reads it now. */
export async function read(service: TestService, { id }: Shown, as: Sender = {}): Promise<Shown> {
  const { status, body } = await service.query('get_activity', { activityId: id }, as);
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  return body.activity;
}

export async function organizationName(service: TestService): Promise<string> {
  const { body } = await service.query('whoami');
  return body.organizationName;
}

/** Asserts that a request is refused with this code, and that nothing was changed or recorded. */
export async function assertNothingChanged(
  service: TestService,
  send: () => Promise<TestAnswer>,
  refusal: { readonly status: number; readonly code: number; readonly text?: RegExp },
): Promise<TestAnswer> {
  const before = await storedCount(service);
  const answer = await send();
  const { status, body } = answer;
  const told = JSON.stringify(body).slice(0, 500);
  assert.deepEqual(
    { status, code: body.code },
    { status: refusal.status, code: refusal.code },
    told,
  );
  assert.match(body.message, refusal.text ?? /./);
  assert.deepEqual(await storedCount(service), before, 'nothing is changed or kept');
  return answer;
}

/** Changes the root quorum with the votes of these members; the first one submits. */
export async function changeQuorum(
  service: TestService,
  quorum: { readonly threshold: number; readonly userIds: readonly string[] },
  members: readonly Sender[] = [{}],
): Promise<void> {
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  const [first, ...others] = members;
  let answer = await service.submit('update_root_quorum', type, quorum, first);
  for (const other of others) answer = await approve(service, answer.body.activity, other);
  shownAs('COMPLETED', answer);
}

/**
 * Starts a service with the users Second, Third, Plain, Trader and Officer. The last two have a tag each.
 * The root user, Second and Third are the root quorum once `formQuorum` is called.
 */
export async function startVoters(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options);
  const ids = {
    root: service.root.userId,
    second: await makeUser(service, 'Second'),
    third: await makeUser(service, 'Third'),
    plain: await makeUser(service, 'Plain'),
    trader: await makeUser(service, 'Trader'),
    officer: await makeUser(service, 'Officer'),
  };
  const traders = await makeUserTag(service, 'Traders', [ids.trader]);
  const officers = await makeUserTag(service, 'Officers', [ids.officer]);
  const members = [ids.root, ids.second, ids.third];
  return {
    service,
    ids,
    traders,
    officers,
    /** Creates a policy that allows wallets once a trader and an officer approved; returns its id. */
    bothTags: () =>
      makePolicy(service, 'Both tags', {
        consensus: [traders, officers].map(approvedByTag).join(' && '),
      }),
    formQuorum: (threshold = 2) => changeQuorum(service, { threshold, userIds: members }),
  };
}

export type Voters = Awaited<ReturnType<typeof startVoters>>;

export const approvedByTag = (tagId: string) =>
  `approvers.any(user, user.tags.contains('${tagId}'))`;
