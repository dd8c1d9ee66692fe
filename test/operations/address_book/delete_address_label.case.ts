import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_ADDRESS_LABEL',
  subject: 'ADDRESS_LABEL DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ addressLabelId }) => ({ addressLabelId }) }],
  generate: {
    weight: 0.6,
    parameters: (world) => ({ addressLabelId: idOf(world, 'address_label') }),
  },
  effect: ({ intent: { addressLabelId } }) => ({ deleted: { address_label: [addressLabelId] } }),
});
