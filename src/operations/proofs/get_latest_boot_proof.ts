import { fail } from '../../core/errors/errors.ts';
import { enclaveApp } from '../../core/proofs/boot_proofs.ts';
import { label, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { bootProofShape } from './proof_shapes.ts';

export const get_latest_boot_proof = query({
  summary: 'Returns the boot proof of the enclave run that answers the request.',
  body: object({ appName: optional(label()) }),
  response: object({ bootProof: bootProofShape() }),

  answer: ({ body, proofs }) => {
    const { appName = enclaveApp } = body;
    if (appName !== enclaveApp) fail('enclave_app_unknown', { expected: enclaveApp });
    return { bootProof: proofs.latestBootProof() };
  },
});
