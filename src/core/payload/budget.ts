// Bounds the typed data of one request, all payloads together. Each payload has limits of its own; a
// request with many payloads must not take many times as long as the largest single one.

import { refusePayload } from './refusal.ts';

/** The limits; one payload that keeps its own limits keeps these. */
export const payloadBudgetLimits = {
  /** Values of all JSON texts, declared or not: more than the other limits leave to declared ones. */
  jsonValues: 131_072,
  /** Values in all messages, structs and arrays included. */
  values: 16_384,
  /** Declared members of all struct types. */
  members: 16_384,
  /** Characters of members, as often as there are struct types that may repeat them when hashed. */
  typeText: 128 * 32_768,
} as const;

type Resource = keyof typeof payloadBudgetLimits;

/** The rest of the budget for the payloads to come. */
export type PayloadBudget = { [Name in Resource]: number };

/** The budget of a request of which nothing has been read. */
export function newPayloadBudget(): PayloadBudget {
  return { ...payloadBudgetLimits };
}

/** Takes from the rest of the budget. Refuses the member at the path if the rest is too small. */
export function spend(budget: PayloadBudget, what: Resource, count: number, path: string): void {
  if (budget[what] < count) {
    refusePayload(path, `expected at most ${payloadBudgetLimits[what]} ${words[what]}`);
  }
  budget[what] -= count;
}

const words: Readonly<Record<Resource, string>> = {
  jsonValues: 'values of JSON in all payloads',
  values: 'values',
  members: 'members of types in all payloads',
  typeText: 'characters of types to be hashed in all payloads',
};
