import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SMART_CONTRACT_INTERFACE',
  subject: 'SMART_CONTRACT_INTERFACE DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ smartContractInterfaceId }) => ({ smartContractInterfaceId }) }],
  generate: {
    weight: 1.2,
    parameters: (world) => ({ smartContractInterfaceId: idOf(world, 'contract_interface') }),
  },
  effect: ({ intent: { smartContractInterfaceId: id } }) => ({
    deleted: { contract_interface: [id], contract_interface_text: [id] },
  }),
});
