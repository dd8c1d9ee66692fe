import { startedSession } from '../../simulation/effect_parts.ts';
import { idOf, newSessionKey } from '../../simulation/request_parts.ts';
import { testKey } from '../../support/harness.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_READ_WRITE_SESSION_V2 CREATE_READ_WRITE_SESSION',
  subject: 'AUTH CREATE',
  // A credential for another user grants the whole authority of that user.
  rule: 'quorum or oneself',
  findsChild: true,
  calls: [true, false].map((isNamed) => ({
    parameters: ({ userId }) => ({
      targetPublicKey: testKey('target').publicKey,
      ...(isNamed ? { userId } : {}),
    }),
  })),
  generate: {
    weight: 1,
    parameters: (world) => ({
      targetPublicKey: newSessionKey(world),
      ...(world.choice.chance(0.4) ? { userId: idOf(world, 'user') } : {}),
      ...(world.choice.chance(0.3) ? { invalidateExisting: true } : {}),
    }),
  },
  effect: startedSession,
});
