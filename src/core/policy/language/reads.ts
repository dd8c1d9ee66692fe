// Closures that read a fact: a member, an element or a part of the value of another closure.

import { admit, type ExpectedType, isStruct, misfitFailures } from './expected_type.ts';
import { type Evaluate, failureAt, limitAt, note, spend, stepsOfText } from './frame.ts';
import type { Variable } from './lambda.ts';
import { type CountRange, type Elements, PartialList } from './partial_list.ts';
import { bracketFailures, elementOf, partOf } from './parts.ts';
import { follow, type PathStep } from './path.ts';
import { type FactStruct, type FactValue, type Text, withoutCase } from './values.ts';

export function readElement<Value extends FactValue>(
  position: number,
  expected: ExpectedType<Value>,
  target: Evaluate<FactValue>,
  index: Evaluate<FactValue>,
): Evaluate<Value> {
  const failures = bracketFailures(position);
  const misfits = misfitFailures(position, expected);
  return (frame) => {
    const owner = target(frame);
    const at = index(frame);
    if (owner === undefined || at === undefined) return undefined;
    const value = elementOf(frame, owner, at, failures);
    return value === undefined ? undefined : admit(frame, value, expected, misfits);
  };
}

export function readPart<Value extends FactValue>(
  position: number,
  expected: ExpectedType<Value>,
  target: Evaluate<FactValue>,
  { from, to }: { readonly from: Evaluate<number>; readonly to: Evaluate<number> },
): Evaluate<Value> {
  const failures = bracketFailures(position);
  const misfits = misfitFailures(position, expected);
  return (frame) => {
    const owner = target(frame);
    const start = from(frame);
    const end = to(frame);
    if (owner === undefined || start === undefined || end === undefined) return undefined;
    const part = partOf(frame, owner, start, end, failures);
    return part === undefined ? undefined : admit(frame, part, expected, misfits);
  };
}

/** Reads the variable of a lambda, or members below it. */
export function readVariable<Value extends FactValue>(
  position: number,
  expected: ExpectedType<Value>,
  variable: Variable,
  steps: readonly PathStep[],
): Evaluate<Value> {
  const misfits = misfitFailures(position, expected);
  if (steps.length === 0) return (frame) => admit(frame, variable.element, expected, misfits);
  return (frame) => {
    const value = follow(frame, variable.element, steps);
    return value === undefined ? undefined : admit(frame, value, expected, misfits);
  };
}

/** Returns a closure that reads a path below a struct. */
export function readBelow<Value extends FactValue>(
  position: number,
  expected: ExpectedType<Value>,
  owner: Evaluate<FactValue>,
  steps: readonly PathStep[],
): Evaluate<Value> {
  const misfits = misfitFailures(position, expected);
  return (frame) => {
    const struct = owner(frame);
    if (struct === undefined) return undefined;
    const value = follow(frame, struct, steps);
    return value === undefined ? undefined : admit(frame, value, expected, misfits);
  };
}

/** Returns a closure that reads a member of a value in a map. It fails if the value is not a struct. */
export function readMember<Value extends FactValue>(
  { name, position }: { readonly name: string; readonly position: number },
  expected: ExpectedType<Value>,
  owner: Evaluate<FactValue>,
): Evaluate<Value> {
  const absent = failureAt(position, 'member_missing', `there is no ${name}`);
  const misfits = misfitFailures(position, expected);
  return (frame) => {
    const value = owner(frame);
    if (value === undefined) return undefined;
    if (!isStruct(value)) return note(frame, misfits.type);
    const members: FactStruct = value;
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    return member === undefined ? note(frame, absent) : admit(frame, member, expected, misfits);
  };
}

/** Returns a literal list; outside of strict reads, without the elements that have no value. */
export function readList(
  position: number,
  items: readonly Evaluate<FactValue>[],
): Evaluate<Elements> {
  const limit = limitAt(position);
  return (frame) => {
    if (!spend(frame, items.length, limit)) return undefined;
    const values: FactValue[] = [];
    for (const item of items) {
      const value = item(frame);
      if (value !== undefined) values.push(value);
    }
    if (values.length === items.length) return values;
    if (frame.isStrict) return undefined;
    return new PartialList({ values, doubtful: [], unknown: items.length - values.length });
  };
}

/** Counts are usually small, so their bigints are created once. */
const smallCounts = Array.from({ length: 256 }, (_, count) => BigInt(count));

/** Returns a closure that counts a list. The count of a list with unknown parts may be a range. */
export function countElements(
  list: Evaluate<Elements>,
  countsVotes: boolean,
): Evaluate<bigint | CountRange> {
  return (frame) => {
    if (countsVotes) frame.isConcerned = true;
    const elements = list(frame);
    if (elements === undefined) return undefined;
    if (elements instanceof PartialList) return elements.count();
    return smallCounts[elements.length] ?? BigInt(elements.length);
  };
}

/** Returns a text that is compared without regard to letter case. */
export function readCaseless(position: number, text: Evaluate<Text>): Evaluate<Text> {
  const limit = limitAt(position);
  return (frame) => {
    const value = text(frame);
    if (typeof value !== 'string') return value && withoutCase(value);
    return spend(frame, stepsOfText(value.length), limit) ? withoutCase(value) : undefined;
  };
}
