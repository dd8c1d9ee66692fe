// Words of which only some are known.

import { usage } from './failures.ts';
import { didYouMean } from './names.ts';

/** The row that a word names; `what` is the flag or the thing. Raises `usage` with the nearest word. */
export function chosen<Row>(table: Readonly<Record<string, Row>>, word: string, what: string): Row {
  const row = Object.hasOwn(table, word) ? table[word] : undefined;
  if (row !== undefined) return row;
  const words = Object.keys(table);
  throw usage(
    `${what} does not know ${word}${didYouMean(word, words)}`,
    `One of ${words.join(', ')}`,
  );
}
