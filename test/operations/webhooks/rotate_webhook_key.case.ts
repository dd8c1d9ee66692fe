import { idsWhere, newestEpoch } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ROTATE_WEBHOOK_KEY',
  subject: 'ORGANIZATION UPDATE',
  // This operation exists only in this service. It changes the key that receivers trust.
  rule: 'quorum',
  calls: [{ by: 'parent', parameters: () => ({ immediately: true }) }],
  generate: {
    weight: 0.5,
    parameters: ({ choice }) => (choice.chance(0.5) ? { immediately: true } : {}),
  },
  effect: ({ before, after }) => ({
    created: { webhook_key: 1 },
    mayGo: { webhook_key: idsWhere(before, 'webhook_key', () => true) },
    facts: {
      'the next epoch begins':
        newestEpoch(after) === Math.max(2, newestEpoch(before) + 1) && after.parentId === undefined,
    },
  }),
});
