// Formats external text for display: shortened, and without characters that could hide others.

const usualCharacters = 66;

/** Returns a text's first characters. Characters that are invisible or move others are written as codes. */
export function shownText(text: string, maximum = usualCharacters): string {
  const characters = [...text.slice(0, 2 * maximum)];
  const shown = characters.slice(0, maximum).join('').replace(unseen, escaped);
  const isCut = characters.length > maximum || text.length > 2 * maximum;
  return `${shown}${isCut ? '…' : ''}`;
}

/** Like `shownText`, in quotes. */
export const quotedText = (text: string, maximum = usualCharacters): string =>
  `"${shownText(text, maximum)}"`;

/** Returns the first digits of bytes (hex with `0x`), with the number of bytes if some are omitted. */
export const shownHex = (bytes: string): string =>
  bytes.length <= usualCharacters
    ? bytes
    : `${bytes.slice(0, usualCharacters)}… (${(bytes.length - 2) / 2} bytes)`;

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

/** Returns a row with the number of omitted rows. */
export function rowOfRest(
  left: number,
): readonly { readonly name: string; readonly value: string }[] {
  return left > 0 ? [{ name: '…', value: `${left} more` }] : [];
}

/** Returns true if rows leave out a part of their values, such as further recipients in a list. */
export const isCut = (
  rows: readonly { readonly name: string; readonly value: string }[],
): boolean => rows.some(({ name, value }) => name === '…' || value.includes('…'));
