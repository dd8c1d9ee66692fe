// The progress of a waiting activity, as the service reports it: the counted approvals, and the users who may
// still approve.

import type { Queries } from './generated/operations.ts';

type Explanation = Queries['explain_activity']['result'];

export type ApprovalProgress = {
  /** The effect of an approval by the reader; `given` if the reader has already approved. */
  readonly own: 'given' | 'completes' | 'counts' | 'none';
  /**
   * The counted approvals, the required number, and the number that is still needed after an approval of the
   * reader. Absent if the rule is not a plain count.
   */
  readonly count?: { readonly given: number; readonly needed: number; readonly more: number };
  /** Names of the users whose approvals count. */
  readonly approved: readonly string[];
  /** Names of the other users who may still approve. */
  readonly others: readonly string[];
  /** Names of the users in `others` whose single approval completes the activity, if others need several. */
  readonly alone: readonly string[];
  /** True if no single approval completes the activity, and the number is unknown. */
  readonly isSeveral: boolean;
};

/** Returns undefined for an activity that does not wait. */
export function approvalProgress(
  { now, votes }: Pick<Explanation, 'now' | 'votes'>,
  readerId: string,
): ApprovalProgress | undefined {
  if (now === undefined) return undefined;
  const approvals = votes.filter(({ counts }) => counts === true);
  const may = now.voters.filter(({ canApprove }) => canApprove);
  const own = may.find(({ userId }) => userId === readerId);
  const others = may.filter((each) => each !== own);
  const { approvals: count } = now;
  const isGiven = approvals.some(({ userId }) => userId === readerId);
  const missing = count && count.needed - count.given;
  const more = own === undefined || isGiven ? missing : own.neededAfter;
  // If the rule is not a plain count, the approvals of other users may not suffice.
  const alone = (more ?? 2) > 1 ? others.filter(({ neededAfter }) => neededAfter === 0) : [];
  return {
    own: isGiven ? 'given' : ownOf(own),
    ...(count === undefined || more === undefined ? {} : { count: { ...count, more } }),
    approved: namesOf(approvals),
    others: namesOf(others),
    alone: namesOf(alone),
    isSeveral: now.severalNeeded === true,
  };
}

function ownOf(voter: { readonly neededAfter?: number | undefined } | undefined) {
  if (voter === undefined) return 'none';
  return voter.neededAfter === 0 ? 'completes' : 'counts';
}

const namesOf = (
  users: readonly { readonly userId: string; readonly userName?: string | undefined }[],
): readonly string[] => [...new Set(users.map(({ userId, userName }) => userName ?? userId))];
