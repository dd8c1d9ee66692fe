// The end of every `verify` command: the verified facts, or exit code 9.

import { Untrusted } from '../../client/errors.ts';
import { Failure, usage } from '../words/failures.ts';
import type { Output, Row } from './output.ts';

/** Parses the JSON object in a file; `prints` describes the expected content. Throws `usage`. */
export function objectIn(
  bytes: Uint8Array,
  file: string,
  prints: string,
): Readonly<Record<string, unknown>> {
  const source = file === '-' ? 'the standard input' : file;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The error below covers invalid JSON too.
  }
  throw usage(`${source} is not ${prints}`);
}

/** Prints the verified facts. Scripts get `{"verified": true, …}`. */
export function showVerified(output: Output, row: Row, document: object): void {
  output.thing(
    { Verified: 'yes', ...row },
    { document: { verified: true, ...document }, ids: ['verified'] },
  );
}

/** Prints `{"verified": false}` for scripts, and throws with exit code 9. */
export function failVerification(output: Output, code: string, reason: string): never {
  if (output.json) output.thing({}, { document: { verified: false, reason }, ids: [] });
  throw new Failure({ exit: 'not_verified', code, message: `Not verified: ${reason}.` });
}

/** Returns the value. If the client library does not trust it, throws like `failVerification`. */
export async function requireTrusted<Value>(output: Output, value: Promise<Value>): Promise<Value> {
  return value.catch((error: unknown) => {
    // A foreign document may lack any member that the library reads.
    if (error instanceof TypeError) return failVerification(output, 'malformed', error.message);
    if (!(error instanceof Untrusted)) throw error;
    return failVerification(output, error.code, error.message);
  });
}
