// Refusals of a payload, with short names of the found values.

import { failField } from '../errors/errors.ts';

/** Refuses a part of the payload, by its path from the request (`parameters.payload.message.to`). */
export function refusePayload(path: string, reason: string): never {
  failField(path, `invalid payload encoding: ${reason}`);
}

/** The kind of a JSON value in words; the value itself is left out of messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return kinds.get(typeof value) ?? 'nothing';
}

/** A name from outside, short enough for a message. */
export function quoted(name: string): string {
  return name.length <= 64 ? `\`${name}\`` : `\`${name.slice(0, 64).toWellFormed()}…\``;
}

const kinds = new Map([
  ['boolean', 'a boolean'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['string', 'a string'],
]);
