import { sameIds } from '../../simulation/effect_parts.ts';
import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_ROOT_QUORUM',
  subject: 'ORGANIZATION UPDATE',
  // The documents of public clients list it among the operations of the root quorum.
  rule: 'quorum',
  calls: [{ parameters: ({ rootUserId }) => ({ threshold: 1, userIds: [rootUserId] }) }],
  generate: {
    weight: 2,
    parameters: (world) => ({
      threshold: world.choice.chance(0.03) ? 2 : 1,
      userIds: idsOf(world, 'user', 3),
    }),
  },
  effect: ({ intent, after }) => ({
    head: true,
    facts: {
      'it has the quorum':
        after.head.rootQuorum.threshold === intent.threshold &&
        sameIds(after.head.rootQuorum.userIds, intent.userIds),
    },
  }),
});
