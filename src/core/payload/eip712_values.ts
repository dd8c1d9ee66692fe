// The values of EIP-712 typed data: JSON parsed against its types. The result contains exactly the hashed
// values, without undeclared members.

import { eachInSteps, endsStep, type StepCounter, type Steps } from '../base/steps.ts';
import { assert } from '../errors/errors.ts';
import { type PayloadBudget, payloadBudgetLimits, spend } from './budget.ts';
import type { StructTypes, TypeExpression } from './eip712_types.ts';
import { readPrefixedHexadecimal } from './hexadecimal.ts';
import { readInteger } from './integers.ts';
import { arrayAt, memberOf, objectAt } from './json_payload.ts';
import { kindOf, refusePayload } from './refusal.ts';
import { requireText } from './text_utf8.ts';

/** A value with the name of its declared type. */
export type TypedValue =
  | TypedStruct
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly TypedValue[] }
  | {
      readonly kind: 'integer';
      readonly type: string;
      readonly value: bigint;
      /** The form in JSON: policies compare strings as strings. */
      readonly written: 'number' | 'string';
    }
  | { readonly kind: 'bool'; readonly type: string; readonly value: boolean }
  | { readonly kind: 'string'; readonly type: string; readonly value: string }
  | {
      readonly kind: 'address';
      readonly type: string;
      /** 20 bytes. */
      readonly value: Uint8Array;
    }
  | {
      /** `bytes` and `bytes1` to `bytes32`; `type` distinguishes them. */
      readonly kind: 'bytes';
      readonly type: string;
      readonly value: Uint8Array;
    };

/** A struct: its members in the order of its type. */
export type TypedStruct = {
  readonly kind: 'struct';
  readonly type: string;
  readonly members: ReadonlyMap<string, TypedValue>;
};

/** Bounds of the values of a domain or a message, which bound the work of hashing. */
export const valueLimits = {
  /** Maximum nesting of structs and arrays. */
  depth: 64,
  /** Maximum number of values, including structs and arrays. */
  values: payloadBudgetLimits.values,
} as const;

/**
 * Parses a JSON object as a struct of this type. Ignores undeclared members; declared members must be present
 * and not null.
 */
export function readStruct(
  value: unknown,
  name: string,
  structTypes: StructTypes,
  path: string,
  budget: PayloadBudget,
): Steps<TypedStruct> {
  return structAt(value, name, { structTypes, budget, counter: { steps: 0 } }, 0, path);
}

type Reading = {
  readonly structTypes: StructTypes;
  readonly budget: PayloadBudget;
  readonly counter: StepCounter;
};

function* structAt(
  value: unknown,
  name: string,
  reading: Reading,
  depth: number,
  path: string,
): Steps<TypedStruct> {
  enter(reading, depth, path);
  const object = objectAt(value, path);
  const types = reading.structTypes.get(name);
  assert(types !== undefined, 'a struct type that is mentioned is declared');
  const members = new Map<string, TypedValue>();
  for (const { name: member, type } of types) {
    const memberValue = memberOf(object, member, path, type.name);
    members.set(member, yield* valueAt(memberValue, type, reading, depth + 1, `${path}.${member}`));
    if (endsStep(reading.counter)) yield;
  }
  return { kind: 'struct', type: name, members };
}

function* valueAt(
  value: unknown,
  expression: TypeExpression,
  reading: Reading,
  depth: number,
  path: string,
): Steps<TypedValue> {
  const type = expression.name;
  switch (expression.kind) {
    case 'struct':
      return yield* structAt(value, type, reading, depth, path);
    case 'list':
      return { kind: 'list', type, items: yield* itemsAt(value, expression, reading, depth, path) };
    default:
      enter(reading, depth, path);
  }
  switch (expression.kind) {
    case 'integer':
      return { kind: 'integer', type, ...readInteger(value, expression.range, path) };
    case 'bytes':
      return { kind: 'bytes', type, value: readPrefixedHexadecimal(value, expression.size, path) };
    case 'address':
      return { kind: 'address', type, value: readPrefixedHexadecimal(value, 20, path) };
    case 'bool':
      if (typeof value !== 'boolean') {
        refusePayload(path, `expected true or false, got ${kindOf(value)}`);
      }
      return { kind: 'bool', type, value };
    case 'string':
      if (typeof value !== 'string') {
        refusePayload(path, `expected a string, got ${kindOf(value)}`);
      }
      requireText(value, path);
      return { kind: 'string', type, value };
  }
}

function* itemsAt(
  value: unknown,
  { element, length }: Extract<TypeExpression, { kind: 'list' }>,
  reading: Reading,
  depth: number,
  path: string,
): Steps<readonly TypedValue[]> {
  enter(reading, depth, path);
  const items = arrayAt(value, path);
  if (length !== undefined && items.length !== length) {
    refusePayload(path, `expected ${length} elements, got ${items.length}`);
  }
  return yield* eachInSteps(
    items,
    (item, index) => valueAt(item, element, reading, depth + 1, `${path}.${index}`),
    reading.counter,
  );
}

function enter(reading: Reading, depth: number, path: string): void {
  if (depth > valueLimits.depth) {
    refusePayload(path, `expected at most ${valueLimits.depth} levels of structs and arrays`);
  }
  spend(reading.budget, 'values', 1, path);
}
