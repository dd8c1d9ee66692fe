// Step 5: relation of a request to an activity with the same body.

import { isOpen } from '../core/activity/activity.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { Caller } from '../operations/operation.ts';
import type { Ballot, ParsedActivity, ParsedVote } from './parse.ts';

/**
 * - `new`: no activity has this body.
 * - `repeated`: the existing activity is the answer.
 * - `vote`: a vote, or the body of a waiting activity signed by another user, which counts as an approval.
 */
type Deduplicated =
  | { readonly kind: 'new'; readonly parsed: ParsedActivity }
  | { readonly kind: 'repeated'; readonly activity: Activity }
  | { readonly kind: 'vote'; readonly ballot: Ballot };

export function deduplicate(
  parsed: ParsedActivity | ParsedVote,
  existing: Activity | undefined,
  { user }: Caller,
): Deduplicated {
  if (parsed.kind === 'vote') return { kind: 'vote', ballot: parsed.ballot };
  if (existing === undefined) return { kind: 'new', parsed };
  if (!isOpen(existing) || user.id === existing.submitterId) {
    return { kind: 'repeated', activity: existing };
  }
  const { fingerprint } = existing;
  return { kind: 'vote', ballot: { fingerprint, selection: 'VOTE_SELECTION_APPROVED' } };
}
