// What all typed data of one request may hold together. Each payload has limits of its own; a request
// with many payloads must not take many times as long as the largest single one.

import { refusePayload } from './refusal.ts';

/** The limits; one payload that keeps its own limits keeps these. */
export const allowanceLimits = {
  /** Values of all JSON texts, declared or not: more than the other limits leave to declared ones. */
  jsonValues: 131_072,
  /** Values in all messages, structs and arrays included. */
  values: 16_384,
  /** Declared members of all struct types. */
  members: 16_384,
  /** Characters of members, as often as there are struct types that may repeat them when hashed. */
  typeText: 128 * 32_768,
} as const;

type Resource = keyof typeof allowanceLimits;

/** What is left for the payloads to come. */
export type Allowance = { [Name in Resource]: number };

/** The allowance of a request of which nothing has been read. */
export function newAllowance(): Allowance {
  return { ...allowanceLimits };
}

/** Takes from what is left; refused by the path where it is not enough. */
export function spend(allowance: Allowance, what: Resource, count: number, path: string): void {
  if (allowance[what] < count) {
    refusePayload(path, `expected at most ${allowanceLimits[what]} ${words[what]}`);
  }
  allowance[what] -= count;
}

const words: Readonly<Record<Resource, string>> = {
  jsonValues: 'values of JSON in all payloads',
  values: 'values',
  members: 'members of types in all payloads',
  typeText: 'characters of types to be hashed in all payloads',
};
