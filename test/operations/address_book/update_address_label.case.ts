import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { solana } from './address_label_requests.ts';

export default activityCase({
  types: 'UPDATE_ADDRESS_LABEL',
  subject: 'ADDRESS_LABEL UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ addressLabelId }) => ({
        addressLabelId,
        addAddresses: [{ address: solana, name: 'Wrapped' }],
      }),
    },
  ],
  generate: {
    weight: 0.8,
    parameters: (world) => {
      const addressLabelId = idOf(world, 'address_label');
      return world.choice.below(2) === 0
        ? { addressLabelId, removeAddresses: [solana] }
        : { addressLabelId, addAddresses: [{ address: solana }] };
    },
  },
  effect: ({ intent: { addressLabelId: id, addAddresses }, before, after }) => {
    const [was, is] = [before, after].map(({ rows }) => rows.address_label.get(id));
    return {
      updated: { address_label: [id] },
      facts: {
        'it has the address or has it no more':
          is?.addresses.some(({ address }) => address === solana) === (addAddresses !== undefined),
        'its change is newer': (is?.updatedAtMs ?? 0) > (was?.updatedAtMs ?? 0),
      },
    };
  },
});
