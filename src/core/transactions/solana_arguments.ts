// Decoded arguments of a Solana program as text.

import type { DecodedFields, DecodedValue } from '../contracts/borsh.ts';

/** One text for each argument; what is nested is written in brackets. */
export function argumentTexts(
  fields: DecodedFields,
): readonly { readonly name: string; readonly value: string }[] {
  return [...fields].map(([name, value]) => ({ name, value: textOf(value) }));
}

function textOf(value: DecodedValue): string {
  if (value === null) return 'none';
  if (typeof value !== 'object') return String(value);
  if (isFields(value)) {
    return `{${[...value].map(([name, each]) => `${name}: ${nestedText(each)}`).join(', ')}}`;
  }
  return `[${value.map(nestedText).join(', ')}]`;
}

/** Text stands in quotes, so that it cannot look like what is around it. */
const nestedText = (value: DecodedValue): string =>
  typeof value === 'string' ? JSON.stringify(value) : textOf(value);

const isFields = (value: DecodedValue): value is DecodedFields => value instanceof Map;
