import { usage } from './failures.ts';
import { didYouMean } from './names.ts';

/**
 * Returns the row for a word. `what`: the flag or thing, for the message. Throws `usage` with the nearest
 * word.
 */
export function chosen<Row>(table: Readonly<Record<string, Row>>, word: string, what: string): Row {
  const row = Object.hasOwn(table, word) ? table[word] : undefined;
  if (row !== undefined) return row;
  const words = Object.keys(table);
  throw usage(
    `${what} does not know ${word}${didYouMean(word, words)}`,
    `One of ${words.join(', ')}`,
  );
}
