// Texts of others, as people may be shown them: cut, and without characters that hide others.

const usualCharacters = 66;

/** The first characters of a text; invisible characters, and those that move others, are written as codes. */
export function shownText(text: string, maximum = usualCharacters): string {
  const characters = [...text.slice(0, 2 * maximum)];
  const shown = characters.slice(0, maximum).join('').replace(unseen, escaped);
  const isCut = characters.length > maximum || text.length > 2 * maximum;
  return `${shown}${isCut ? '…' : ''}`;
}

/** The same in quotes. */
export const quotedText = (text: string, maximum = usualCharacters): string =>
  `"${shownText(text, maximum)}"`;

/** The first digits of bytes (hex with `0x`). The number of bytes follows if some are left out. */
export const shownHex = (bytes: string): string =>
  bytes.length <= usualCharacters
    ? bytes
    : `${bytes.slice(0, usualCharacters)}… (${(bytes.length - 2) / 2} bytes)`;

/**
 * Controls, lone surrogates, characters that are invisible or change the direction of others, and all blanks
 * but the usual one.
 */
const unseen = /[\p{C}\p{Z}\p{DI}"\\]/gu;

function escaped(character: string): string {
  if (character === ' ') return character;
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** A row after the shown ones, with the number of the others. */
export function rowOfRest(
  left: number,
): readonly { readonly name: string; readonly value: string }[] {
  return left > 0 ? [{ name: '…', value: `${left} more` }] : [];
}
