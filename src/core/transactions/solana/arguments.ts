// Decoded arguments of a Solana program as text for people: short, and without characters that hide
// others.

import type { DecodedFields, DecodedValue } from '../../contracts/borsh.ts';
import { quotedText, rowOfRest, shownText } from '../text/shown_text.ts';

const maximumArguments = 16;
const maximumItems = 8;
const maximumDepth = 3;
const maximumDigits = 130;

/** Texts of the first arguments, nested values in brackets, and the number of the others. */
export function argumentTexts(
  fields: DecodedFields,
): readonly { readonly name: string; readonly value: string }[] {
  const shown = [...fields]
    .slice(0, maximumArguments)
    .map(([name, value]) => ({ name: shownText(name), value: topText(value) }));
  return [...shown, ...rowOfRest(fields.size - shown.length)];
}

/** Returns a top-level text without quotes. */
const topText = (value: DecodedValue): string =>
  typeof value === 'string' ? shownText(value, maximumDigits) : textOf(value, 0);

function textOf(value: DecodedValue, depth: number): string {
  if (value === null) return 'none';
  // Quotes prevent a text from imitating its surroundings.
  if (typeof value === 'string') return quotedText(value);
  if (typeof value !== 'object') return String(value);
  if (isFields(value)) {
    return cut([...value], '{', '}', depth, ([name, each]) => {
      return `${shownText(name)}: ${textOf(each, depth + 1)}`;
    });
  }
  return cut(value, '[', ']', depth, (each) => textOf(each, depth + 1));
}

function cut<Item>(
  items: readonly Item[],
  open: string,
  close: string,
  depth: number,
  textOf: (item: Item) => string,
): string {
  if (depth === maximumDepth) {
    return items.length === 0 ? `${open}${close}` : `${open}… ${items.length} items${close}`;
  }
  const shown = items.slice(0, maximumItems).map(textOf);
  const left = items.length - shown.length;
  return `${open}${[...shown, ...(left === 0 ? [] : [`… ${left} more`])].join(', ')}${close}`;
}

const isFields = (value: DecodedValue): value is DecodedFields => value instanceof Map;
