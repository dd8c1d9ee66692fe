// Finds the function that call data names in the text of an ABI.

import { createRecentCache } from '../base/lru_cache.ts';
import { type AbiFunction, readAbi } from './abi.ts';
import { layoutOf, type TupleLayout } from './abi_layout.ts';

/** A function of an interface, and how its arguments lie in call data. */
export type CallableFunction = AbiFunction & { readonly layout: TupleLayout };

/**
 * The function with a selector, `0x` and eight lower-case digits, in an ABI that was accepted when it was
 * uploaded. `digest` is equal for equal texts. Returns undefined if there is no such function.
 */
export function functionOfAbi(
  { digest, text }: { readonly digest: string; readonly text: string },
  selector: string,
): CallableFunction | undefined {
  const known = functionsByDigest.get(digest);
  if (known !== undefined) return known.get(selector);
  const functions = new Map(
    readAbi(JSON.parse(text)).map((each) => [
      each.selector,
      { ...each, layout: layoutOf(each.inputs) },
    ]),
  );
  // The largest are hardly ever called, and a few of them would fill the memory.
  if (text.length <= maximumRememberedCharacters) functionsByDigest.set(digest, functions);
  return functions.get(selector);
}

const maximumRememberedCharacters = 100_000;
const functionsByDigest = createRecentCache<ReadonlyMap<string, CallableFunction>>(64);
