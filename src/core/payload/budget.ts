// Bounds the typed data of one request over all payloads. Each payload has limits of its own; many payloads
// must not take many times as long as the largest single one.

import { refusePayload } from './refusal.ts';

/** Limits of a request. A single payload within its own limits never exceeds them. */
export const payloadBudgetLimits = {
  /** Values in all JSON texts, declared or not; more than the other limits allow for declared values. */
  jsonValues: 131_072,
  /** Values in all messages, structs and arrays included. */
  values: 16_384,
  /** Declared members of all struct types. */
  members: 16_384,
  /** Characters of members, multiplied by the number of struct types that may repeat them in hashed texts. */
  typeText: 128 * 32_768,
} as const;

type Resource = keyof typeof payloadBudgetLimits;

/** The remaining budget for further payloads. */
export type PayloadBudget = { [Name in Resource]: number };

/** Creates the budget of a request. */
export function newPayloadBudget(): PayloadBudget {
  return { ...payloadBudgetLimits };
}

/** Reduces the budget. Rejects the member at the path if the remainder is too small. */
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
