import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ smartContractInterfaceId }) => ({ smartContractInterfaceId }) }],
  generate: (world) => ({
    smartContractInterfaceId: idOf(world, 'contract_interface'),
  }),
});
