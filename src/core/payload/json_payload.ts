import { finish, type Steps } from '../base/steps.ts';
import { repeatedMember, valueCountOf } from '../schema/json.ts';
import { type PayloadBudget, spend } from './budget.ts';
import { kindOf, refusePayload } from './refusal.ts';

/** A JSON object with members of any kind. Read members with `memberOf`. */
export type JsonMembers = { readonly [name: string]: unknown };

/** Parses a JSON object of at most `maxLength` characters, and charges its values to the budget. */
export function readJsonObject(
  payload: string,
  maxLength: number,
  path: string,
  budget: PayloadBudget,
): JsonMembers {
  return finish(readJsonObjectInSteps(payload, maxLength, path, budget));
}

/** Like `readJsonObject`, with a step for each pass over the text. */
export function* readJsonObjectInSteps(
  payload: string,
  maxLength: number,
  path: string,
  budget: PayloadBudget,
): Steps<JsonMembers> {
  if (payload.length > maxLength) {
    refusePayload(path, `expected at most ${maxLength} characters, got ${payload.length}`);
  }
  spend(budget, 'jsonValues', valueCountOf(payload, budget.jsonValues), path);
  yield;
  return objectAt(yield* parse(payload, path), path);
}

/** Returns the value as a JSON object. */
export function objectAt(value: unknown, path: string): JsonMembers {
  if (!isJsonMembers(value)) refusePayload(path, `expected a JSON object, got ${kindOf(value)}`);
  return value;
}

/** Returns the value as a JSON array. */
export function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) refusePayload(path, `expected a JSON array, got ${kindOf(value)}`);
  return value;
}

/** Returns an own member of a JSON object; rejects an object without it. */
export function memberOf(object: JsonMembers, name: string, path: string, expected: string) {
  if (!Object.hasOwn(object, name))
    refusePayload(`${path}.${name}`, `missing, expected ${expected}`);
  return object[name];
}

function isJsonMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* parse(payload: string, path: string): Steps<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    // The parser's own message would repeat parts of the payload.
    refusePayload(path, 'expected JSON');
  }
  yield;
  const repeated = repeatedMember(payload, value);
  if (repeated !== undefined) refusePayload(path, `\`${repeated}\` is there twice`);
  return value;
}
