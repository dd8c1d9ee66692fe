// Judges if a freeze stopped what became durable, once more and apart from the product.

import type { Activity } from '../../src/core/organization/records/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import type { TrueState } from './truth.ts';

const isFrozen = (of: TrueState | undefined, type: string, id?: string): boolean =>
  [...(of?.rows.freeze.values() ?? [])].some(
    (row) => row.type === `FREEZE_TYPE_${type}` && row.resourceId === id,
  );

/** True if a user may neither ask nor vote; the operation is the one that is asked for. */
export function isStopped(userId: string, operation: string, state: TrueState): boolean {
  if (!isFrozen(state, 'USER', userId)) return false;
  const { threshold, userIds } = state.head.rootQuorum;
  const free = userIds.filter((id) => !isFrozen(state, 'USER', id)).length;
  const isNeeded = operation === 'delete_freeze' && userIds.includes(userId) && free < threshold;
  return !isNeeded;
}

/** Complaints about an activity that became durable as done while a freeze stopped it. */
export function freezeComplaints(
  { status, submitterId, votes }: Activity,
  operation: string,
  keyIds: readonly (string | undefined)[],
  { state, parent }: { readonly state: TrueState; readonly parent: TrueState | undefined },
): string[] {
  if (status !== 'ACTIVITY_STATUS_COMPLETED') return [];
  const complaints: string[] = [];
  const users = [submitterId, votes.at(-1)?.userId ?? ''];
  if (users.some((id) => isStopped(id, operation, state))) complaints.push('the user was frozen');
  const action = activityOperations[operation]?.subject.action;
  if (action !== 'SIGN' && action !== 'EXPORT' && operation !== 'eth_send_raw_transaction') {
    return complaints;
  }
  const isWhole =
    isFrozen(state, 'ORGANIZATION') ||
    isFrozen(state, 'DEPLOYMENT') ||
    isFrozen(parent, 'DEPLOYMENT') ||
    isFrozen(parent, 'SUB_ORGANIZATION', state.id);
  if (isWhole) complaints.push('the organization was frozen');
  const frozenKeys = keyIds.filter(
    (id) => isFrozen(state, 'WALLET', id) || isFrozen(state, 'PRIVATE_KEY', id),
  );
  return [...complaints, ...frozenKeys.map((id) => `the key ${id} was frozen`)];
}
