import { isOpen } from '../core/activity/activity.ts';
import { isRefusal } from '../core/errors/errors.ts';
import type { MfaStatus } from '../core/mfa/mfa.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { Admission } from './parse.ts';
import type { Ports } from './ports.ts';
import { admitOriginal, considerAgain } from './vote.ts';

/**
 * Makes the function that tells where those who approved an activity stand with their MFA policies, or
 * one user; nowhere once it is decided.
 */
export function createMfaStatuses(
  admission: Admission,
  ports: Ports,
): (
  activity: Activity,
  state: OrganizationState,
  userId?: string,
) => Promise<readonly MfaStatus[]> {
  return async function statusesOf(activity, state, userId) {
    if (!isOpen(activity)) return [];
    const userIds = userId === undefined ? activity.votes.map((vote) => vote.userId) : [userId];
    try {
      const admitted = admitOriginal(activity, admission);
      const { mfa } = await considerAgain(activity, admitted, state, ports, true);
      return userIds.flatMap((id) => mfa.statuses(id));
    } catch (error) {
      // What the activity needs is gone: it can only be rejected.
      if (isRefusal(error)) return [];
      throw error;
    }
  };
}
