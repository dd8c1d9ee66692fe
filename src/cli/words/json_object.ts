// JSON of files that may hold secrets.

import { usage } from './failures.ts';

/** The members of a JSON object. Raises `usage` for anything else, without a piece of the text. */
export function objectOf(text: string, source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The parser's message would hold a piece of the text, which may be a secret.
  }
  throw usage(`${source} is not a JSON object`, 'docs/cli.md shows the form of such files.');
}
