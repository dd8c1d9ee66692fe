import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_FREEZE',
  subject: 'FREEZE DELETE',
  rule: 'quorum',
  calls: [{ parameters: ({ freezeId }) => ({ freezeId }) }],
  generate: { weight: 4, parameters: (world) => ({ freezeId: idOf(world, 'freeze') }) },
  effect: ({ intent: { freezeId } }) => ({ deleted: { freeze: [freezeId] } }),
});
