import { recordKinds } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SUB_ORGANIZATION',
  subject: 'ORGANIZATION DELETE',
  // A child is deleted by its own root users, which leaves nothing behind, so no policy grants it.
  rule: 'quorum',
  calls: [{ parameters: () => ({ deleteWithoutExport: true }) }],
  generate: { weight: 0.8, parameters: () => ({ deleteWithoutExport: true }) },
  effect: ({ before, after }) => ({
    head: true,
    // A decided activity stays, and with it the rows that it refers to; tokens that were used stay used.
    deleted: Object.fromEntries(
      recordKinds
        .filter((kind) => !['policy_set', 'voted_activity', 'used_token'].includes(kind))
        .map((kind) => [kind, [...before.rows[kind].keys()]]),
    ),
    facts: { 'it is deleted': after.head.deletedAtMs !== undefined },
  }),
});
