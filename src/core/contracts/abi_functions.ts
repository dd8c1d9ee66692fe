// Finds the function of an ABI that call data calls.

import { type AbiFunction, readAbiInSteps } from './abi.ts';
import { layoutOf, type TupleLayout } from './abi_layout.ts';
import { createParsedTexts, type StoredText } from './parsed_texts.ts';

/** A function of an interface, with the layout of its arguments in call data. */
export type CallableFunction = AbiFunction & {
  /** Undefined for a function whose calls cannot be decoded. */
  readonly layout: TupleLayout | undefined;
};

/**
 * Returns the function with a selector (`0x` and eight lower-case digits) in a stored ABI; undefined if there
 * is none. `digest` is equal for equal texts.
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

/** The functions of ABIs by selector, parsed once because parsing takes long. */
export const parsedAbis = createParsedTexts(function* (value) {
  const functions = yield* readAbiInSteps(value);
  return new Map(functions.map((each) => [each.selector, each]));
});
