// A file that proves the inclusion of an entry in a checkpoint: C2SP's tlog-proof. The verifier of receipts
// shares it.

import { hashBytes } from './inclusion.ts';
import { bytesOfBase64, readSize } from './note.ts';

export const proofKind = 'c2sp.org/tlog-proof@v1';
/** Enough for a tree of 2^63 entries. */
const maximumHashes = 63;

export type ProofFile = {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint, as a signed note. */
  readonly note: string;
};

/** Reads a proof without extra data. Returns undefined if it is malformed. */
export function readProof(text: string): ProofFile | undefined {
  const end = text.indexOf('\n\n');
  if (end < 0) return undefined;
  const [first, indexLine = '', ...encoded] = text.slice(0, end).split('\n');
  const index = indexLine.startsWith('index ') ? readSize(indexLine.slice(6)) : undefined;
  const hashes = encoded.map(bytesOfBase64);
  if (first !== proofKind || index === undefined || hashes.length > maximumHashes) return undefined;
  if (!hashes.every((hash) => hash?.length === hashBytes)) return undefined;
  return { index, hashes: hashes.filter((hash) => hash !== undefined), note: text.slice(end + 2) };
}
