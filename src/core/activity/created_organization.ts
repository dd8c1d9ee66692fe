// The organizations that must exist because an activity created them.

import type { Activity } from '../organization/records/activity.ts';

/**
 * Returns the id of the sub-organization that an activity created, for all versions of its type; undefined if
 * the activity created none. A deleted organization keeps its row, so this id always has one.
 */
export function createdOrganizationOf({ result }: Pick<Activity, 'result'>): string | undefined {
  for (const member of Object.values(result ?? {})) {
    if (typeof member !== 'object' || member === null) continue;
    if (!('subOrganizationId' in member)) continue;
    const { subOrganizationId } = member;
    if (typeof subOrganizationId === 'string') return subOrganizationId;
  }
  return undefined;
}
