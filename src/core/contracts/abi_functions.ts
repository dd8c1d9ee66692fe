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
  const remembered = text.length <= maximumUsualCharacters ? usual : large;
  const known = remembered.get(digest);
  if (known !== undefined) return known.get(selector);
  const functions = new Map(
    readAbi(JSON.parse(text)).map((each) => [
      each.selector,
      { ...each, layout: layoutOf(each.inputs) },
    ]),
  );
  remembered.set(digest, functions);
  return functions.get(selector);
}

/** Few large ones are remembered: each may take some MiB. */
const maximumUsualCharacters = 50_000;
const usual = createRecentCache<ReadonlyMap<string, CallableFunction>>(64);
const large = createRecentCache<ReadonlyMap<string, CallableFunction>>(4);
