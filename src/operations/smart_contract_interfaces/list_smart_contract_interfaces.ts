import { answerList, object } from '../../core/schema/schema.ts';
import { contractInterfaceView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { contractInterfaceShape } from './smart_contract_interface_shape.ts';

export const list_smart_contract_interfaces = query({
  summary: 'Lists the smart contract interfaces, oldest first.',
  body: object({}),
  response: object({ smartContractInterfaces: answerList(contractInterfaceShape()) }),

  answer: async ({ organization, read }) => {
    const interfaces = organization.list('contract_interface');
    const texts = await read.contractInterfaceTexts(interfaces);
    return {
      smartContractInterfaces: interfaces.flatMap((found) => {
        const text = texts.get(found.id);
        return text === undefined ? [] : contractInterfaceView(found, text, organization.id);
      }),
    };
  },
});
