// Rejects a payload, with short descriptions of the found values.

import { failField } from '../errors/errors.ts';

/** Rejects the part of the payload at a path of the request (`parameters.payload.message.to`). */
export function refusePayload(path: string, reason: string): never {
  failField(path, `invalid payload encoding: ${reason}`);
}

/** Returns the kind of a JSON value for messages, which omit the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return kinds.get(typeof value) ?? 'nothing';
}

/** Quotes an external name, shortened for messages. */
export function quoted(name: string): string {
  return name.length <= 64 ? `\`${name}\`` : `\`${name.slice(0, 64).toWellFormed()}…\``;
}

const kinds = new Map([
  ['boolean', 'a boolean'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['string', 'a string'],
]);
