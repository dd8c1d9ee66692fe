// Finds the function that call data names in the text of an ABI.

import { createRecentCache } from '../base/lru_cache.ts';
import { type AbiFunction, readAbi } from './abi.ts';
import { layoutOf, type TupleLayout } from './abi_layout.ts';

/** A function of an interface, and how its arguments lie in call data. */
export type CallableFunction = AbiFunction & { readonly layout: TupleLayout };

/**
 * The function with a selector, `0x` and eight lower-case digits, in the text of an ABI that was
 * accepted when it was uploaded. Returns undefined if there is none.
 */
export function functionOfAbi(text: string, selector: string): CallableFunction | undefined {
  const known = functionsByText.get(text);
  if (known !== undefined) return known.get(selector);
  const functions = new Map(
    readAbi(JSON.parse(text)).map((each) => [
      each.selector,
      { ...each, layout: layoutOf(each.inputs) },
    ]),
  );
  // The largest are hardly ever called, and a few of them would fill the memory.
  if (text.length <= maximumRememberedCharacters) functionsByText.set(text, functions);
  return functions.get(selector);
}

const maximumRememberedCharacters = 100_000;
const functionsByText = createRecentCache<ReadonlyMap<string, CallableFunction>>(64);
