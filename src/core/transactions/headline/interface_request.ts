// Explains a request to store a contract interface, with the warnings that its author gets. The enclave, the
// page and the terminal show the same sentences.

import { finish } from '../../base/steps.ts';
import type { InterfaceProblem } from '../../contracts/refusal.ts';
import {
  type ContractInterfaceParameters,
  interfaceProblemsInSteps,
  shownProblems,
} from '../../contracts/smart_contract_interfaces.ts';
import { ServiceError } from '../../errors/errors.ts';
import { contractInterfaceTypes } from '../../organization/model.ts';
import type { TransactionExplanation } from '../../organization/records/transaction_explanation.ts';
import { knownCalls } from '../calls/known_calls.ts';
import { changeSentence } from './change_sentence.ts';
import { createsInterface, type Intent } from './request_types.ts';

/** The problems of an interface, or the error for which it cannot be stored. */
export type InterfaceReading =
  | { readonly problems: readonly InterfaceProblem[] }
  | { readonly failure: ServiceError };

/** Explains a request whose interface was read. */
export function explainInterface(
  parameters: ContractInterfaceParameters,
  reading: InterfaceReading,
): TransactionExplanation {
  const summary = changeSentence(createsInterface, parameters, () => undefined) ?? '';
  return { summary, effects: [], warnings: warningsOf(reading) };
}

/** Returns the warnings about signed parameters; none for another request. */
export function interfaceRequestWarnings(
  type: string,
  intent: Intent,
): TransactionExplanation['warnings'] {
  if (type !== createsInterface) return [];
  const kind = contractInterfaceTypes.find((each) => each === intent['type']);
  if (kind === undefined) return [];
  const parameters = {
    smartContractAddress: String(intent['smartContractAddress']),
    smartContractInterface: String(intent['smartContractInterface']),
    type: kind,
  };
  try {
    return warningsOf({ problems: finish(interfaceProblemsInSteps(parameters, knownCalls)) });
  } catch (error) {
    if (error instanceof ServiceError) return warningsOf({ failure: error });
    throw error;
  }
}

function warningsOf(reading: InterfaceReading): TransactionExplanation['warnings'] {
  if ('failure' in reading) {
    const { message } = reading.failure;
    return [{ code: 'NOT_DECODED', text: `The interface cannot be stored now: ${message}` }];
  }
  return shownProblems(reading.problems).map(({ code, message }) => ({ code, text: message }));
}
