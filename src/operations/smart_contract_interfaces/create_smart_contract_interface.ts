import {
  type ContractInterfaceParameters,
  createContractInterface,
  interfaceWarnings,
  maximumInterfaceCharacters,
  readNewInterface,
  requireContractInterface,
} from '../../core/contracts/smart_contract_interfaces.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { contractInterfaceTypes } from '../../core/organization/model.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { answerText, label, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { knownCalls } from '../../core/transactions/calls/known_calls.ts';
import { explainInterface } from '../../core/transactions/headline/interface_request.ts';
import { activity, wireOf } from '../operation.ts';
import type { LoadServices } from '../services.ts';
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

  load: async ({ organization, parameters, services }) => {
    services.rejectEarlyIfImpossible({}, { isWhole: true });
    const reading = await readOnce({ organization, parameters, services }).catch(failureOf);
    return reading instanceof ServiceError ? { failure: reading } : reading;
  },
  explain: ({ parameters, loaded }) => explainInterface(parameters, loaded),
  obtain: readOnce,
  apply: ({ organization, parameters, obtained, context }) => ({
    smartContractInterfaceId: createContractInterface(parameters, obtained, organization, context)
      .id,
  }),
  warnings: ({ organization, result }) =>
    interfaceWarnings(requireContractInterface(organization, result.smartContractInterfaceId)),
});

/** Reads the interface for the approvers of a waiting request, and again to store it. */
function readOnce({
  organization,
  parameters,
  services: { once, pause },
}: {
  readonly organization: OrganizationView;
  readonly parameters: ContractInterfaceParameters;
  readonly services: Pick<LoadServices, 'once' | 'pause'>;
}) {
  return once('interface', () => readNewInterface(parameters, organization, pause, knownCalls));
}

/** Returns an error that the execution of the request raises too. */
function failureOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
