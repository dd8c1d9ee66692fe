// Draws the map of users and wallets. The CLI writes the shapes to a file, the dashboard displays them.

import type { MapRow, Reach } from './policy_map.ts';

type MapDrawing = {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly {
    readonly reach: Reach;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  /** `y` is the baseline. */
  readonly texts: readonly { readonly text: string; readonly x: number; readonly y: number }[];
};

const rowHeight = 44;
const inset = 8;
/** Average width of a letter, in drawing units. */
const letterWidth = 7.8;

/**
 * Draws a row for each user and a column for each wallet, with messages above transactions. `rows` contains
 * the wallets of the first user, then those of the next. `words` contains the label of each reach.
 */
export function drawMap(
  rows: readonly MapRow[],
  wallets: number,
  words: Readonly<Record<Reach, string>>,
  columnWidth = 150,
): MapDrawing {
  const letters = Math.floor((columnWidth - inset) / letterWidth);
  const textAt = (text: string, x: number, y: number) => ({
    text: shortened(text, letters),
    x: x + inset,
    y,
  });
  const heads = rows
    .slice(0, wallets)
    .map(({ wallet }, i) => textAt(wallet, columnWidth * (i + 1), 26));
  const names = rows
    .filter((_, n) => n % wallets === 0)
    .map(({ user }, i) => textAt(user, 0, rowHeight * (i + 1) + 26));
  const height = rowHeight / 2;
  const cells = rows.flatMap(({ messages, transactions }, n) => {
    const x = columnWidth * ((n % wallets) + 1);
    const y = rowHeight * (Math.floor(n / wallets) + 1);
    return [
      { reach: messages, x, y, width: columnWidth, height },
      { reach: transactions, x, y: y + height, width: columnWidth, height },
    ];
  });
  return {
    // The lines of the last cells need one more.
    width: columnWidth * (wallets + 1) + 1,
    height: rowHeight * (names.length + 1) + 1,
    cells,
    texts: [
      ...heads,
      ...names,
      ...cells.map(({ reach, x, y }) => textAt(words[reach], x, y + 16)),
    ].filter(({ text }) => text !== ''),
  };
}

const shortened = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
