import { fail } from '../../core/errors/errors.ts';
import { object, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { bootProofShape } from './proof_shapes.ts';

/** Hex digits of two uncompressed points. */
const keyCharacters = 260;

export const get_boot_proof = query({
  summary: 'Returns the boot proof of the enclave run that signed app proofs with a given key.',
  body: object({ ephemeralKey: text({ minimum: keyCharacters, maximum: keyCharacters }) }),
  response: object({ bootProof: bootProofShape() }),

  answer: async ({ body, proofs }) => {
    const bootProof = await proofs.bootProof(body.ephemeralKey.toLowerCase());
    return bootProof === undefined ? fail('boot_proof_not_found') : { bootProof };
  },
});
