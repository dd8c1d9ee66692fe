// The codings in which a body travels (RFC 9112 section 6.1): chunks alone are understood.

import type { IncomingMessage } from 'node:http';

/**
 * Returns true if a body comes in chunks and in another coding besides, whose bytes would be taken for the
 * body. Node refuses a body whose last coding is another.
 */
export function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding']?.toLowerCase().split(',') ?? [];
  return codings.length > 1 && codings.at(-1)?.trim() === 'chunked';
}
