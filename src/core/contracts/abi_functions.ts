// Finds the function that call data names in the text of an ABI.

import { createWeighedCache } from '../base/lru_cache.ts';
import { type AbiFunction, readAbi } from './abi.ts';
import { layoutOf, type TupleLayout } from './abi_layout.ts';
import { rememberedCharacters } from './refusal.ts';

/** A function of an interface, and how its arguments lie in call data. */
export type CallableFunction = AbiFunction & {
  /** Undefined for a function whose calls cannot be decoded. */
  readonly layout: TupleLayout | undefined;
};

/**
 * The function with a selector, `0x` and eight lower-case digits, in an ABI that was accepted when it was
 * uploaded. `digest` is equal for equal texts. Returns undefined if there is no such function.
 */
export function functionOfAbi(abi: InterfaceText, selector: string): CallableFunction | undefined {
  const found = functionsOfAbi(abi).get(selector);
  if (found === undefined) return undefined;
  if (found.problem !== undefined) return { ...found, layout: undefined };
  const layout = layouts.get(found) ?? layoutOf(found.inputs);
  layouts.set(found, layout);
  return { ...found, layout };
}

/** Layouts of functions that were called. */
const layouts = new WeakMap<AbiFunction, TupleLayout>();

/** All functions of such an ABI by their selectors. This takes long and is done once. */
export function functionsOfAbi({ digest, text }: InterfaceText): Functions {
  const known = remembered.get(digest);
  if (known !== undefined) return known;
  const functions = new Map(readAbi(JSON.parse(text)).map((each) => [each.selector, each]));
  remembered.set(digest, functions, text.length);
  return functions;
}

type InterfaceText = { readonly digest: string; readonly text: string };
type Functions = ReadonlyMap<string, AbiFunction>;

/** By characters of their texts. */
const remembered = createWeighedCache<Functions>(rememberedCharacters);
