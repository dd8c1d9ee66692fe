import { object, oneOf } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { noHardwareDocument, softwareStatementShape } from './proof_shapes.ts';

/** Components with their own enclaves in the hosted service. Here one enclave implements all of them. */
const enclaveTypes = ['keywright', 'signer', 'ump', 'notarizer', 'evm-parser'] as const;

export const get_attestation = query({
  summary:
    'Returns the statement of the answering enclave about its program; no hardware attests it.',
  body: object({ enclaveType: oneOf(enclaveTypes) }),
  response: object({
    attestationDocument: noHardwareDocument(),
    softwareStatement: softwareStatementShape(),
  }),

  answer: ({ proofs }) => {
    const { awsAttestationDocB64, softwareStatement } = proofs.latestBootProof();
    return { attestationDocument: awsAttestationDocB64, softwareStatement };
  },
});
