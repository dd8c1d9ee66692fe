// Rejects the text of an interface with the position and the expected content.

import type { Steps } from '../base/steps.ts';
import { failField, ServiceError } from '../errors/errors.ts';
import { kindOf, quoted } from '../payload/refusal.ts';

export type Members = { readonly [name: string]: unknown };

/** The request member that contains the text. */
const interfaceField = 'parameters.smartContractInterface';

/** Rejects the interface at a path; '' is the whole text. */
export function refuseInterface(path: string, reason: string): never {
  failField(interfaceField, path === '' ? reason : `\`${path}\`: ${reason}`);
}

/** A function or instruction that cannot be decoded, or whose name may mislead, and the sentence about it. */
export type InterfaceProblem = {
  readonly code: 'NOT_DECODED' | 'NAME_OF_ANOTHER_CALL';
  readonly name: string;
  readonly message: string;
};

/** Returns the reason why reading a part fails; undefined if it succeeds. */
export function reasonOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return reasonIn(error);
  }
}

/** Returns the value that the steps read, or the reason why reading fails. */
export function* valueOrReason<Value>(
  read: Steps<Value>,
): Steps<{ readonly value?: Value; readonly reason?: string }> {
  try {
    return { value: yield* read };
  } catch (error) {
    return { reason: reasonIn(error) };
  }
}

function reasonIn(error: unknown): string {
  const isRefused = error instanceof ServiceError && error.code === 'field_invalid';
  if (isRefused) return String(error.details['reason'] ?? error.message);
  throw error;
}

/** Returns the value as a JSON object. */
export function objectAt(value: unknown, path: string): Members {
  if (!isMembers(value)) refuseInterface(path, `expected a JSON object, got ${kindOf(value)}`);
  return value;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value as a JSON array of at most `maximum` items. */
export function listAt(value: unknown, path: string, maximum: number): readonly unknown[] {
  if (!Array.isArray(value)) {
    refuseInterface(path, `expected a JSON array, got ${kindOf(value)}`);
  }
  if (value.length > maximum) {
    refuseInterface(path, `expected at most ${maximum} items, got ${value.length}`);
  }
  return value;
}

/** Returns the value as text. */
export function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  return refuseInterface(path, `expected text, got ${kindOf(value)}`);
}

/** Returns the value of an own member; undefined without it. */
export function memberOf(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the path of a member or item. */
export const below = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}.${name}`;

/** Rejects duplicate names. `pathOf` returns the path of the name at an index. */
export function refuseTwins(
  names: readonly string[],
  what: string,
  pathOf: (index: number) => string,
): void {
  const seen = new Set<string>();
  for (const [i, name] of names.entries()) {
    if (seen.has(name)) refuseInterface(pathOf(i), `${what} ${quoted(name)} stands there twice`);
    seen.add(name);
  }
}
