import { requireContractInterface } from '../../core/contracts/smart_contract_interfaces.ts';
import { failNotFound } from '../../core/organization/required_record.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { contractInterfaceView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { contractInterfaceShape } from './smart_contract_interface_shape.ts';

export const get_smart_contract_interface = query({
  summary: 'Returns a smart contract interface.',
  body: object({ smartContractInterfaceId: uuid() }),
  response: object({ smartContractInterface: contractInterfaceShape() }),

  answer: async ({ organization, body, read }) => {
    const id = body.smartContractInterfaceId;
    const found = requireContractInterface(organization, id);
    const text = (await read.contractInterfaceTexts([found])).get(found.id);
    if (text === undefined) return failNotFound('smart contract interface', id, organization);
    return { smartContractInterface: contractInterfaceView(found, text, organization.id) };
  },
});
