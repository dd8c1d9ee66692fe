// Parses JSON files that may contain secrets.

import { usage } from './failures.ts';

/**
 * Returns the members of a JSON object. Throws `usage` for other text; the message contains no part of it.
 */
export function objectOf(text: string, source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The message of the parser contains a part of the text, which may be a secret.
  }
  throw usage(`${source} is not a JSON object`, 'docs/cli.md shows the form of such files.');
}
