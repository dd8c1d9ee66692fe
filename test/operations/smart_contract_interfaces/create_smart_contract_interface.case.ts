import { activityCase } from '../case.ts';
import { describedContract } from './smart_contract_interface_requests.ts';

export default activityCase({
  types: 'CREATE_SMART_CONTRACT_INTERFACE',
  subject: 'SMART_CONTRACT_INTERFACE CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedContract({ smartContractAddress: `0x${'1'.repeat(40)}` }) }],
});
