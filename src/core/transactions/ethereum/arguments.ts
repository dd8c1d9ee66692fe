// Arguments of calls as text for people: short, and without characters that hide others.

import { eip55 } from '../../address/ethereum.ts';
import type { AbiValue } from '../../contracts/abi_arguments.ts';
import {
  hexInPart,
  listInPart,
  rowsInPart,
  type ShownRows,
  type ShownText,
  textInPart,
} from '../text/shown_text.ts';
import type { NamedArgument } from './call.ts';

const maximumArguments = 32;
const maximumItems = 8;
const maximumDepth = 3;

/** Returns names and values of the first arguments of a call. Truncates long values and lists visibly. */
export function argumentTexts(given: readonly NamedArgument[]): ShownRows {
  const shown = given
    .slice(0, maximumArguments)
    .map(({ name, value }) => [name, argumentText(value, 0)] as const);
  return rowsInPart(shown, given.length - shown.length);
}

function argumentText(value: AbiValue, depth: number): ShownText {
  switch (value.kind) {
    case 'address':
      return { text: eip55(value.hex.slice(2)), isWhole: true };
    case 'bytes':
      return hexInPart(value.hex);
    case 'text': {
      const { text, isWhole } = textInPart(value.value);
      return { text: `"${text}"`, isWhole };
    }
    case 'list': {
      const bounds = { maximum: maximumItems, isTooDeep: depth === maximumDepth };
      return listInPart(value.items, ['[', ']'], bounds, (item) => argumentText(item, depth + 1));
    }
    default:
      return { text: String(value.value), isWhole: true };
  }
}
