import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SMART_CONTRACT_INTERFACE',
  subject: 'SMART_CONTRACT_INTERFACE DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ smartContractInterfaceId }) => ({ smartContractInterfaceId }) }],
});
