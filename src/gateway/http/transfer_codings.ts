// Checks the transfer codings of a body (RFC 9112 section 6.1). The server supports only `chunked`.

import type { IncomingMessage } from 'node:http';

/**
 * Returns true if a body has a coding besides `chunked`; the server would read its coded bytes as the body.
 * Node rejects a body whose last coding is not `chunked`.
 */
export function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding']?.toLowerCase().split(',') ?? [];
  return codings.length > 1 && codings.at(-1)?.trim() === 'chunked';
}
