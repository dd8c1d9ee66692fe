import { recordKinds } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SUB_ORGANIZATION',
  subject: 'ORGANIZATION DELETE',
  // Only its own root quorum deletes a child; a policy cannot allow it, since nothing is left.
  rule: 'quorum',
  calls: [{ parameters: () => ({ deleteWithoutExport: true }) }],
  generate: { weight: 0.8, parameters: () => ({ deleteWithoutExport: true }) },
  effect: ({ before, after }) => ({
    head: true,
    // Decided activities stay, with the rows that they refer to, and so do used tokens.
    deleted: Object.fromEntries(
      recordKinds
        .filter((kind) => !['policy_set', 'voted_activity', 'used_token'].includes(kind))
        .map((kind) => [kind, [...before.rows[kind].keys()]]),
    ),
    facts: { 'it is deleted': after.head.deletedAtMs !== undefined },
  }),
});
