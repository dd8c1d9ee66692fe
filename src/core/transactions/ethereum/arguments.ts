// Arguments of calls as text for people: short, and without characters that hide others.

import { eip55 } from '../../address/ethereum.ts';
import type { AbiValue } from '../../contracts/abi_arguments.ts';
import { quotedText, rowOfRest, shownHex } from '../text/shown_text.ts';
import type { NamedArgument } from './call.ts';

const maximumArguments = 32;
const maximumItems = 8;
const maximumDepth = 3;

/** Returns names and values of the first arguments of a call. Truncates long values and lists visibly. */
export function argumentTexts(
  given: readonly NamedArgument[],
): readonly { readonly name: string; readonly value: string }[] {
  const shown = given
    .slice(0, maximumArguments)
    .map(({ name, value }) => ({ name, value: argumentText(value, 0) }));
  return [...shown, ...rowOfRest(given.length - shown.length)];
}

function argumentText(value: AbiValue, depth: number): string {
  switch (value.kind) {
    case 'address':
      return eip55(value.hex.slice(2));
    case 'bytes':
      return shownHex(value.hex);
    case 'text':
      return quotedText(value.value);
    case 'list':
      return listText(value.items, depth);
    default:
      return String(value.value);
  }
}

function listText(items: readonly AbiValue[], depth: number): string {
  if (depth === maximumDepth) return items.length === 0 ? '[]' : `[… ${items.length} items]`;
  const shown = items.slice(0, maximumItems).map((item) => argumentText(item, depth + 1));
  const left = items.length - shown.length;
  return `[${[...shown, ...(left === 0 ? [] : [`… ${left} more`])].join(', ')}]`;
}
