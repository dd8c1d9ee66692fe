import { idOf, rowsOf, unknownId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_AUTHENTICATORS',
  subject: 'CREDENTIAL DELETE',
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId, authenticatorId }) => ({
        userId,
        authenticatorIds: [authenticatorId],
      }),
    },
  ],
  generate: {
    weight: 1.5,
    parameters: (world) => {
      const [passkey] = world.choice.some(rowsOf(world, 'authenticator'), 1);
      return passkey === undefined
        ? { userId: idOf(world, 'user'), authenticatorIds: [unknownId] }
        : { userId: passkey.userId, authenticatorIds: [passkey.id] };
    },
  },
  effect: ({ intent }) => ({
    deleted: { authenticator: intent.authenticatorIds },
  }),
});
