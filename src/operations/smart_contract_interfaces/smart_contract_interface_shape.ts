import { contractInterfaceTypes } from '../../core/organization/model.ts';
import { answerText, object, oneOf, timestamps } from '../../core/schema/schema.ts';

/** The facts about a smart contract. */
export const contractInterfaceShape = () =>
  object({
    organizationId: answerText(),
    smartContractInterfaceId: answerText(),
    smartContractAddress: answerText(),
    smartContractInterface: answerText(),
    type: oneOf(contractInterfaceTypes),
    label: answerText(),
    notes: answerText(),
    ...timestamps(),
  });
