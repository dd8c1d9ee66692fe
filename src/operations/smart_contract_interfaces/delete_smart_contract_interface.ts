import {
  deleteContractInterfaces,
  requireContractInterface,
} from '../../core/contracts/smart_contract_interfaces.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_smart_contract_interface = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE'),
  summary: 'Deletes a smart contract interface.',
  subject: { resource: 'SMART_CONTRACT_INTERFACE', action: 'DELETE' },
  authority: 'contract_interface',
  parameters: object({ smartContractInterfaceId: uuid() }),
  result: object({ smartContractInterfaceId: answerText() }),

  apply: ({ organization, parameters }) => {
    const found = requireContractInterface(organization, parameters.smartContractInterfaceId);
    deleteContractInterfaces([found], organization);
    return { smartContractInterfaceId: found.id };
  },
});
