// Decoded arguments of a Solana program as text for people: short, and without characters that hide
// others.

import type { DecodedFields, DecodedValue } from '../../contracts/borsh.ts';
import {
  listInPart,
  rowsInPart,
  type ShownRows,
  type ShownText,
  shownText,
  textInPart,
} from '../text/shown_text.ts';

const maximumArguments = 16;
const maximumItems = 8;
const maximumDepth = 3;
const maximumDigits = 130;

/** Returns names and values of the first arguments, nested values in brackets. */
export function argumentTexts(fields: DecodedFields): ShownRows {
  const shown = [...fields]
    .slice(0, maximumArguments)
    .map(([name, value]) => [shownText(name), topText(value)] as const);
  return rowsInPart(shown, fields.size - shown.length);
}

/** Returns a top-level text without quotes. */
const topText = (value: DecodedValue): ShownText =>
  typeof value === 'string' ? textInPart(value, maximumDigits) : textOf(value, 0);

function textOf(value: DecodedValue, depth: number): ShownText {
  if (value === null) return { text: 'none', isWhole: true };
  if (typeof value === 'string') {
    // Quotes prevent a text from imitating its surroundings.
    const { text, isWhole } = textInPart(value);
    return { text: `"${text}"`, isWhole };
  }
  if (typeof value !== 'object') return { text: String(value), isWhole: true };
  const bounds = { maximum: maximumItems, isTooDeep: depth === maximumDepth };
  if (isFields(value)) {
    return listInPart([...value], ['{', '}'], bounds, ([name, each]) => {
      const { text, isWhole } = textOf(each, depth + 1);
      return { text: `${shownText(name)}: ${text}`, isWhole };
    });
  }
  return listInPart(value, ['[', ']'], bounds, (each) => textOf(each, depth + 1));
}

const isFields = (value: DecodedValue): value is DecodedFields => value instanceof Map;
