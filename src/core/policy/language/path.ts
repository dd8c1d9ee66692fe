// Paths of struct members, such as `eth.tx.to`.

import { fieldRowOf, type StructName, structs } from '../names/structs.ts';
import type { SourceSpan } from './ast.ts';
import {
  admit,
  type ExpectedType,
  isObject,
  isStruct,
  type MisfitFailures,
} from './expected_type.ts';
import { type Evaluate, type EvaluationFailure, type Frame, failureAt, note } from './frame.ts';
import { memberOf } from './types.ts';
import type { FactStruct, FactValue } from './values.ts';

/** A member, and the failures of reading it. */
export type PathStep = {
  readonly field: string;
  readonly absent: EvaluationFailure;
  readonly ownerIsNoStruct: EvaluationFailure;
};

/** Returns the step to a member that the checker knows. */
export function stepOf(
  struct: StructName,
  { name, position }: SourceSpan & { readonly name: string },
  ownerPosition: number,
): PathStep {
  const member = memberOf(struct, name);
  const isNamespace =
    structs[struct].holdsNamespaces === true ||
    (member?.type.kind === 'struct' && structs[member.type.struct].holdsNamespaces === true);
  const ofOther = isNamespace ? 'namespace_absent' : 'member_missing';
  // Only rows that exist can be read, so a missing one was left out for this request.
  const code = structs[struct].chosenMembers === undefined ? ofOther : 'value_withheld';
  return {
    field: member?.field ?? name,
    absent: failureAt(position, code, `there is no ${name}${reasonOf(struct, member?.field)}`),
    ownerIsNoStruct: failureAt(
      ownerPosition,
      'type_mismatch',
      'expected a struct, got another type',
    ),
  };
}

/** Returns the reason for a missing member after a colon; empty if unknown. */
function reasonOf(struct: StructName, field: string | undefined): string {
  if (struct === 'Controls') {
    return ': this request moves an unknown amount, counters are full, or the policy is of a parent or a sponsor';
  }
  if (struct === 'AddressBook') {
    return ': the label changed after the activity began, or the policy is of a sponsor';
  }
  const reason = field === undefined ? undefined : fieldRowOf(struct, field)?.absentBecause;
  return reason === undefined ? '' : `: ${reason}`;
}

/** Returns the closure of a path from a root to a value of an expected type. */
export function readPath<Value extends FactValue>(
  steps: readonly PathStep[],
  expected: ExpectedType<Value>,
  misfits: MisfitFailures,
): Evaluate<Value> {
  const read: Evaluate<Value> = (frame) => {
    const value = follow(frame, frame.scope, steps);
    return value === undefined ? undefined : admit(frame, value, expected, misfits);
  };
  const { fits } = expected;
  const [root] = steps;
  const [first = '', second = '', third = ''] = steps.map(({ field }) => field);
  // Most facts that policies read lie two or three steps deep and have the expected form. These are read
  // directly; the loop above handles all others.
  if (steps.length === 2) {
    return (frame) => {
      const base = frame.scope[first];
      if (base === undefined && root !== undefined) return note(frame, root.absent);
      const value = memberIn(base, second);
      return fits(value) ? value : read(frame);
    };
  }
  if (steps.length === 3) {
    return (frame) => {
      const base = frame.scope[first];
      if (base === undefined && root !== undefined) return note(frame, root.absent);
      const value = memberIn(memberIn(base, second), third);
      return fits(value) ? value : read(frame);
    };
  }
  return read;
}

/** Returns the value at the end of a path, of any type; undefined after a failure. */
export function follow(
  frame: Frame,
  base: FactValue | undefined,
  steps: readonly PathStep[],
): FactValue | undefined {
  let value = base;
  for (const step of steps) {
    if (!isObject(value)) return note(frame, step.ownerIsNoStruct);
    const owner: FactStruct = value;
    const member = owner[step.field];
    if (member === undefined) {
      return note(frame, isStruct(value) ? step.absent : step.ownerIsNoStruct);
    }
    value = member;
  }
  return value;
}

function memberIn(value: FactValue | undefined, field: string): FactValue | undefined {
  if (!isObject(value)) return undefined;
  const struct: FactStruct = value;
  return struct[field];
}
