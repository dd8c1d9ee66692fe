// The end of every `verify` command: the verified facts, or exit code 9.

import { Untrusted } from '../../client/errors.ts';
import { parsedJson, repeatedMember } from '../../core/schema/json.ts';
import { Failure, usage } from '../words/failures.ts';
import type { Output, Row } from './output.ts';

/**
 * Parses the JSON object in a file; `prints` describes the expected content. Throws `usage`, also for a
 * repeated member, of which readers may see the other value.
 */
export function objectIn(
  bytes: Uint8Array,
  file: string,
  prints: string,
): Readonly<Record<string, unknown>> {
  const source = file === '-' ? 'the standard input' : file;
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The error below covers other bytes too.
  }
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null) throw usage(`${source} is not ${prints}`);
  const repeated = repeatedMember(text, value);
  if (repeated !== undefined) throw usage(`${source} repeats the member ${repeated}`);
  return { ...value };
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
