// Writes proofs in the format that `proof_file.ts` reads.

import { type ProofFile, proofKind } from './proof_file.ts';

export function textOfProof({ note, ...place }: ProofFile): string {
  return `${textOfPlace(place)}\n\n${note}`;
}

/** Returns a proof without its checkpoint. */
export function textOfPlace({ index, hashes }: Omit<ProofFile, 'note'>): string {
  return [proofKind, `index ${index}`, ...hashes.map((hash) => hash.toBase64())].join('\n');
}
