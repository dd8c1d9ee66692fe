// Tokens that an outcome uses up: those of attested stamps.

import type { useVerification } from '../core/auth/verifications.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { type OrganizationDraft, viewOf } from '../core/organization/state.ts';
import type { Recording } from './recording.ts';

/** The types by which clients log in with an attested stamp, after a sign-up too. */
const loginTypes = ['ACTIVITY_TYPE_STAMP_LOGIN', 'ACTIVITY_TYPE_OTP_LOGIN_V2'];

/** Uses up the token of an attested stamp, where what was done has not done so. */
export function useUp(
  use: typeof useVerification,
  { id: activityId, type, version }: Activity,
  draft: OrganizationDraft,
  { caller: { token }, state, context: { now } }: Recording,
): void {
  if (token === undefined) return;
  const earlier = viewOf(state).get('used_token', token.id);
  // A token that stamped the activity stamps no vote on it, although this vote exchanges it.
  const isFirstStamp = earlier?.waitingActivityId === undefined;
  if (isFirstStamp && draft.get('used_token', token.id) !== earlier) return;
  // A vote on another user's login is not a login.
  const usage = version === 1 && loginTypes.includes(type) ? 'login' : 'stamp';
  use(token, usage, draft, { activityId, now });
}

/**
 * Notes the ID token of an attested stamp as used. Signatures leave it alone, because they do not change
 * their organization.
 */
export function noteIdToken(draft: OrganizationDraft, { caller, parsed }: Recording): void {
  const { idTokenId } = caller;
  if (idTokenId !== undefined && parsed.operation.concurrent !== true) draft.use(idTokenId);
}
