// Formats external text for display: shortened, and without characters that could hide others.

const usualCharacters = 66;

/** The text of a value, which may leave out a part of it, such as further recipients in a list. */
export type ShownText = { readonly text: string; readonly isWhole: boolean };

/** Returns a text's first characters. Characters that are invisible or move others are written as codes. */
export const shownText = (text: string, maximum = usualCharacters): string =>
  textInPart(text, maximum).text;

/** Returns the text of `shownText`; `isWhole` is true if it has all characters. */
export function textInPart(text: string, maximum = usualCharacters): ShownText {
  const characters = [...text.slice(0, 2 * maximum)];
  const shown = characters.slice(0, maximum).join('').replace(unseen, escaped);
  const isWhole = characters.length <= maximum && text.length <= 2 * maximum;
  return { text: `${shown}${isWhole ? '' : '…'}`, isWhole };
}

/** Like `shownText`, in quotes. */
export const quotedText = (text: string, maximum = usualCharacters): string =>
  `"${shownText(text, maximum)}"`;

/** Returns the first digits of bytes (hex with `0x`), with the number of bytes if some are omitted. */
export const shownHex = (bytes: string): string => hexInPart(bytes).text;

/** Returns the text of `shownHex`; `isWhole` is true if it has all digits. */
export const hexInPart = (bytes: string): ShownText =>
  bytes.length <= usualCharacters
    ? { text: bytes, isWhole: true }
    : {
        text: `${bytes.slice(0, usualCharacters)}… (${(bytes.length - 2) / 2} bytes)`,
        isWhole: false,
      };

/** Returns the texts of the first items of a list in brackets, and the number of the others. */
export function listInPart<Item>(
  items: readonly Item[],
  [open, close]: readonly [open: string, close: string],
  { maximum, isTooDeep }: { readonly maximum: number; readonly isTooDeep: boolean },
  textOf: (item: Item) => ShownText,
): ShownText {
  const shown = isTooDeep ? [] : items.slice(0, maximum).map(textOf);
  const left = items.length - shown.length;
  const rest = left === 0 ? [] : [isTooDeep ? `… ${left} items` : `… ${left} more`];
  return {
    text: `${open}${[...shown.map(({ text }) => text), ...rest].join(', ')}${close}`,
    isWhole: left === 0 && shown.every(({ isWhole }) => isWhole),
  };
}

/** The rows of named values. */
export type ShownRows = {
  readonly rows: readonly { readonly name: string; readonly value: string }[];
  readonly isWhole: boolean;
};

/** Returns the rows of the first values, and a row with the number of the others. */
export function rowsInPart(
  first: readonly (readonly [name: string, value: ShownText])[],
  left: number,
): ShownRows {
  const rows = first.map(([name, { text }]) => ({ name, value: text }));
  return {
    rows: left > 0 ? [...rows, { name: '…', value: `${left} more` }] : rows,
    isWhole: left <= 0 && first.every(([, { isWhole }]) => isWhole),
  };
}

/**
 * Controls, lone surrogates, characters that are invisible or change the direction of others, and all blanks
 * except the space.
 */
const unseen = /[\p{C}\p{Z}\p{DI}"\\]/gu;

function escaped(character: string): string {
  if (character === ' ') return character;
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
