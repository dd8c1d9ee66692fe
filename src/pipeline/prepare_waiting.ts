// Prepares a waiting activity for a further vote, or for its state in queries.

import { shownCredentials } from '../core/activity/proofs.ts';
import { countedVoters } from '../core/activity/votes.ts';
import { utf8 } from '../core/base/bytes.ts';
import { assert, fail } from '../core/errors/errors.ts';
import { type MfaStatus, statusesWith } from '../core/mfa/mfa.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import { isInScope } from '../core/policy/decision/session_scope.ts';
import type { Voter } from '../core/policy/decision/voters.ts';
import type { Meter } from '../core/policy/language/clause.ts';
import type { Credential } from '../core/users/credentials.ts';
import type { SubmittedWith } from '../operations/operation.ts';
import type { Catalog } from './catalog.ts';
import { type ParsedActivity, parseStored } from './parse.ts';
import type { Ports } from './ports.ts';
import { type Preparation, prepare } from './prepare.ts';

/** Parses the request of a waiting activity. */
export function parseWaiting(
  activity: Activity,
  catalog: Catalog,
  ports: Ports,
): Promise<ParsedActivity> {
  assert(activity.request !== undefined, 'an activity that waits keeps its request');
  return parseStored(activity.type, utf8(activity.request), catalog, ports);
}

/**
 * Prepares a waiting activity for its submitter, on the current organization. Raises
 * `activity_without_submitter`, and the refusals of its operation.
 */
export async function prepareWaiting(
  activity: Activity,
  parsed: ParsedActivity,
  state: OrganizationState,
  ports: Ports,
  {
    within,
    asker,
    parent,
  }: {
    readonly within?: Meter | undefined;
    readonly asker?: Voter;
    readonly parent?: OrganizationState | undefined;
  } = {},
): Promise<Preparation> {
  const submitter = state.records.user.get(activity.submitterId);
  if (submitter === undefined) fail('activity_without_submitter');
  const submittedWith = firstSubmittedWith(activity);
  const { id: activityId, fingerprint: contents, createdAtMs: begunAtMs } = activity;
  const waiting = { parsed, submitter, submittedWith, state, contents, activityId, begunAtMs };
  // The submitter passed this check at submission, and may still owe a credential.
  const isOwn = asker?.userId === activity.submitterId;
  return prepare({ ...waiting, within, parent, asker: isOwn ? undefined : asker }, ports);
}

/** Returns the submitter's first credential that the activity still records. */
export function firstSubmittedWith({
  votes,
  proofs = [],
  submitterId,
}: Pick<Activity, 'votes' | 'proofs' | 'submitterId'>): SubmittedWith {
  const first = [...proofs, ...votes].find(({ userId }) => userId === submitterId);
  return first ?? { credentialId: '', publicKey: '' };
}

/** Votes of the users on a waiting activity. */
export type Tally = {
  /** Approvals that count: their users have shown all factors of their MFA policies. */
  readonly counted: readonly Voter[];
  /** Approvals of these users and of users who still owe factors. */
  readonly given: readonly Voter[];
  readonly shown: (userId: string) => readonly Credential[];
  /**
   * Returns the factors that a user has shown; `further` is a credential that the user is about to
   * show.
   */
  readonly statuses: (userId: string, further?: Credential) => readonly MfaStatus[];
  readonly isMet: (userId: string, further?: Credential) => boolean;
};

export function tallyOf(activity: Activity, preparation: Preparation): Tally {
  const { organization, context, scopes } = preparation;
  const shown = (userId: string) => shownCredentials(activity, userId, organization, context.now);
  const statuses = (userId: string, further?: Credential) => {
    const others = shown(userId).filter(({ id }) => id !== further?.id);
    const all = further === undefined ? others : [...others, further];
    return statusesWith(preparation.mfaPolicies(userId), all);
  };
  const isMet = (userId: string, further?: Credential) =>
    statuses(userId, further).every(({ satisfied }) => satisfied);
  // The scope of a session is checked again, because fields from a node may have changed since the vote.
  const given = countedVoters(activity, organization, context.now, ({ scope }) =>
    isInScope(scope, scopes, organization.id),
  );
  const counted = given.filter(({ userId }) => isMet(userId));
  return { counted, given, shown, statuses, isMet };
}

/** Returns true if the submitter must show a factor, and so may always approve. */
export function awaitsCredentials(
  { status }: Pick<Activity, 'status'>,
  statuses: readonly MfaStatus[],
): boolean {
  return statuses.length > 0 || status === 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';
}
