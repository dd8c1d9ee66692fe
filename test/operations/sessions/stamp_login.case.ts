import { startedSession } from '../../simulation/effect_parts.ts';
import { newSessionKey, sessionProfileId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { sessionKey } from '../case_parts.ts';

export default activityCase({
  types: 'STAMP_LOGIN',
  subject: 'AUTH CREATE',
  rule: 'policies or oneself',
  findsChild: true,
  calls: [{ parameters: sessionKey }],
  generate: {
    weight: 2,
    parameters: (world) => ({
      publicKey: newSessionKey(world),
      ...(world.choice.chance(0.3) ? { invalidateExisting: true } : {}),
      ...sessionProfileId(world),
    }),
  },
  effect: startedSession,
});
