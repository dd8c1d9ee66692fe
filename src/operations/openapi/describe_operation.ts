// The documents' text about an operation beyond its schemas.

import type { TSchema } from '../../core/schema/schema.ts';
import type { ActivityOperation } from '../operation.ts';
import type { Wire } from '../wire.ts';

/** One activity type that a path accepts. */
export type DocumentedVersion = {
  readonly wire: Wire;
  readonly parameters: TSchema;
  readonly result: TSchema;
};

/** The activity types of an operation, newest first. */
export function versionsOf(operation: ActivityOperation): readonly DocumentedVersion[] {
  const { wire, parameters, result, older } = operation;
  return [
    { wire, parameters, result },
    ...older.map((version) => ({
      wire: version.wire,
      parameters: version.parameters,
      result: version.result ?? result,
    })),
  ];
}

/** Describes who may submit an activity of this operation. */
export function accessSentence({ access }: ActivityOperation): string {
  if (access.rule === 'root_quorum') return 'Only the root quorum; no policy can grant it.';
  if (access.othersNeedRootQuorum === true) {
    return 'Every user for themselves, unless a policy denies it; for other users, only the root quorum.';
  }
  return access.ownUserId === undefined
    ? 'The root quorum, or a user whom a policy allows it.'
    : 'The root quorum, a user whom a policy allows it, and users for their own credentials.';
}

/** Describes who may read. */
export const queryAccessSentence = 'Every user of the organization, and every user of its parent.';

/** Describes who may vote, and the answer. */
export const voteAccessSentence =
  'Members of the root quorum, and users who count in the consensus of a policy that would otherwise allow the activity. The submitter may reject it too. Answers with the activity that was voted on.';
