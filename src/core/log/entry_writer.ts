// Writes the text of an activity's entry. `entry.ts` reads it.

import { type ActivityEntry, activityKind } from './entry.ts';

/** Returns the text of an entry. */
export function textOfEntry(entry: ActivityEntry): string {
  const { organizationId, number, previous, activityId, version, status, atMs, record } = entry;
  const lines = [
    activityKind,
    `organization ${organizationId}`,
    `number ${number}`,
    `previous ${previous}`,
    `activity ${activityId}`,
    `version ${version}`,
    `status ${status}`,
    `at ${atMs}`,
    `record ${record}`,
  ];
  return `${lines.join('\n')}\n`;
}
