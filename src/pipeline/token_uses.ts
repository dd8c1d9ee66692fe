// Marks the tokens of attested stamps as used.

import type { useVerification } from '../core/auth/verifications.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { type OrganizationDraft, viewOf } from '../core/organization/state.ts';
import type { Recording } from './recording.ts';

/** The login types with an attested stamp, including the login after a sign-up. */
const loginTypes = ['ACTIVITY_TYPE_STAMP_LOGIN', 'ACTIVITY_TYPE_OTP_LOGIN_V2'];

/** Marks the token of an attested stamp as used, unless the operation has already marked it. */
export function useUp(
  use: typeof useVerification,
  { id: activityId, type, version }: Activity,
  draft: OrganizationDraft,
  { caller: { token }, state, context: { now } }: Recording,
): void {
  if (token === undefined) return;
  const earlier = viewOf(state).get('used_token', token.id);
  // The token of the activity's stamp cannot stamp a vote on the activity, even if the vote exchanges it.
  const isFirstStamp = earlier?.waitingActivityId === undefined;
  if (isFirstStamp && draft.get('used_token', token.id) !== earlier) return;
  // A vote on another user's login is not a login.
  const usage = version === 1 && loginTypes.includes(type) ? 'login' : 'stamp';
  use(token, usage, draft, { activityId, now });
}

/**
 * Records the ID token of an attested stamp as used. Skips signatures, because they do not change their
 * organization.
 */
export function noteIdToken(draft: OrganizationDraft, { caller, parsed }: Recording): void {
  const { idTokenId } = caller;
  if (idTokenId !== undefined && parsed.operation.concurrent !== true) draft.use(idTokenId);
}
