// The organizations that must exist because an activity created them.

import type { Activity } from '../organization/records/activity.ts';

/**
 * The id of the sub-organization that an activity created, in whatever version of its type; undefined for
 * one that created none. An organization that was deleted keeps its row, so there is always one of this id.
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
