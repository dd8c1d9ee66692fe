// Judges independently of the product if a freeze should have stopped a durable change.

import type { Activity } from '../../src/core/organization/records/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import type { TrueState } from './true_state.ts';

const isFrozen = (of: TrueState | undefined, type: string, id?: string): boolean =>
  [...(of?.rows.freeze.values() ?? [])].some(
    (row) => row.type === `FREEZE_TYPE_${type}` && row.resourceId === id,
  );

/** Returns true if a user may neither submit nor vote; `operation` is that of the activity. */
export function isStopped(userId: string, operation: string, state: TrueState): boolean {
  if (!isFrozen(state, 'USER', userId)) return false;
  const { threshold, userIds } = state.head.rootQuorum;
  const free = userIds.filter((id) => !isFrozen(state, 'USER', id)).length;
  const isNeeded = operation === 'delete_freeze' && userIds.includes(userId) && free < threshold;
  return !isNeeded;
}

/** Returns complaints about an activity that completed although a freeze stops it. */
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
