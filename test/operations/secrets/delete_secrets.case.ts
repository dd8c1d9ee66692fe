import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SECRETS',
  subject: 'SECRET DELETE',
  // The public documents have no rule for secrets; policies name the activity types.
  rule: 'policies',
  calls: [{ parameters: ({ secretId }) => ({ secretIds: [secretId] }) }],
  generate: {
    weight: 4,
    parameters: (world) => ({ secretIds: idsOf(world, 'secret', 1) }),
  },
  effect: ({ intent: { secretIds } }) => ({
    deleted: { secret: secretIds, secret_text: secretIds },
  }),
});
