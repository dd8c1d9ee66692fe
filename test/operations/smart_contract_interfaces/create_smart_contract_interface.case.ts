import { activityCase } from '../case.ts';
import { describedContract } from './smart_contract_interface_requests.ts';

export default activityCase({
  types: 'CREATE_SMART_CONTRACT_INTERFACE',
  subject: 'SMART_CONTRACT_INTERFACE CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedContract({ smartContractAddress: `0x${'1'.repeat(40)}` }) }],
  generate: {
    weight: 1.2,
    parameters: ({ choice, serial }) => ({
      smartContractAddress: `0x${String(choice.below(8)).padStart(40, '0')}`,
      smartContractInterface: `[{ "name": "call${serial}", "inputs": [] }]`,
      type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
      label: `Contract ${serial}`,
    }),
  },
  effect: ({ intent, result: { smartContractInterfaceId: id }, after }) => ({
    created: { contract_interface: [id], contract_interface_text: [id] },
    facts: {
      'it has its address':
        after.rows.contract_interface.get(id)?.address === intent.smartContractAddress,
      'it has its text':
        after.rows.contract_interface_text.get(id)?.text === intent.smartContractInterface,
    },
  }),
});
