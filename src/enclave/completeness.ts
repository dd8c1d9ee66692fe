import { hex, utf8 } from '../core/bytes.ts';
import { hmacSha256 } from '../core/crypto/hashes.ts';
import type { RootKeys } from './root_keys.ts';

/** For each `kind/id` of small state the version and the seal mark of its row. */
export type SealMarks = ReadonlyMap<string, string>;

/**
 * Keyed digest (hex) over exactly these rows in exactly these versions. It is sealed in the head, so
 * a row that is missing, added, or put back from an earlier time does not go unnoticed.
 */
export function completenessOf(keys: RootKeys, organizationId: string, marks: SealMarks): string {
  const lines = [...marks].map(([name, mark]) => `${name}=${mark}\n`).sort();
  return hex(hmacSha256(keys.key('completeness', organizationId), utf8(lines.join(''))));
}
