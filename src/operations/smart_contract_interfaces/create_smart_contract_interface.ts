import {
  createContractInterface,
  interfaceWarnings,
  maximumInterfaceCharacters,
  readNewInterface,
  requireContractInterface,
} from '../../core/contracts/smart_contract_interfaces.ts';
import { contractInterfaceTypes } from '../../core/organization/model.ts';
import { answerText, label, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { knownCalls } from '../../core/transactions/calls/known_calls.ts';
import { activity, wireOf } from '../operation.ts';
import { notes } from '../shapes.ts';

export const create_smart_contract_interface = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE'),
  summary: 'Stores the ABI or IDL of a contract, so that policies can read its calls.',
  subject: { resource: 'SMART_CONTRACT_INTERFACE', action: 'CREATE' },
  authority: 'contract_interface',
  parameters: object({
    smartContractAddress: text({
      minimum: 1,
      maximum: 100,
    }),
    smartContractInterface: text({
      minimum: 1,
      maximum: maximumInterfaceCharacters,
    }),
    type: oneOf(contractInterfaceTypes),
    label: label(),
    notes: optional(notes()),
  }),
  result: object({ smartContractInterfaceId: answerText() }),

  obtain: ({ organization, parameters, services: { once, pause } }) =>
    once('interface', () => readNewInterface(parameters, organization, pause, knownCalls)),
  apply: ({ organization, parameters, obtained, context }) => ({
    smartContractInterfaceId: createContractInterface(parameters, obtained, organization, context)
      .id,
  }),
  warnings: ({ organization, result }) =>
    interfaceWarnings(requireContractInterface(organization, result.smartContractInterfaceId)),
});
