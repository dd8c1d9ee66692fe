// Finds the function that call data names in the text of an ABI.

import { type AbiFunction, readAbiInSteps } from './abi.ts';
import { layoutOf, type TupleLayout } from './abi_layout.ts';
import { createParsedTexts, type StoredText } from './parsed_texts.ts';

/** A function of an interface, and how its arguments lie in call data. */
export type CallableFunction = AbiFunction & {
  /** Undefined for a function whose calls cannot be decoded. */
  readonly layout: TupleLayout | undefined;
};

/**
 * The function with a selector, `0x` and eight lower-case digits, in an ABI that was accepted when it was
 * uploaded. `digest` is equal for equal texts. Returns undefined if there is no such function.
 */
export function functionOfAbi(abi: StoredText, selector: string): CallableFunction | undefined {
  const found = parsedAbis.of(abi).get(selector);
  if (found === undefined) return undefined;
  if (found.problem !== undefined) return { ...found, layout: undefined };
  const layout = layouts.get(found) ?? layoutOf(found.inputs);
  layouts.set(found, layout);
  return { ...found, layout };
}

/** Layouts of functions that were called. */
const layouts = new WeakMap<AbiFunction, TupleLayout>();

/** All functions of such ABIs by their selectors. This takes long and is done once. */
export const parsedAbis = createParsedTexts(function* (value) {
  const functions = yield* readAbiInSteps(value);
  return new Map(functions.map((each) => [each.selector, each]));
});
