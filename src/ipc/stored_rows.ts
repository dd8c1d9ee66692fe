// Rows of the store as they cross between gateway and enclave.

import { boolean, bytes, number, optional, struct, text } from './codec.ts';

export const storedRecord = struct({
  organizationId: text,
  kind: text,
  id: text,
  groupId: optional(text),
  version: number,
  body: bytes,
});
export const storedOrganization = struct({
  organizationId: text,
  parentId: optional(text),
  version: number,
  guard: number,
  head: bytes,
});
/** Condition of a change: the version of its decision. */
export const condition = struct({ organizationId: text, version: number, orLater: boolean });
export const storedActivity = struct({
  organizationId: text,
  id: text,
  type: text,
  status: text,
  bucket: number,
  fingerprint: bytes,
  createdAtMs: number,
  updatedAtMs: number,
  version: number,
  body: bytes,
});
export const storedEvent = struct({
  endpointId: text,
  organizationId: text,
  eventId: text,
  createdAtMs: number,
  body: bytes,
});
export const storedDelivery = struct({
  endpointId: text,
  organizationId: text,
  eventId: text,
  createdAtMs: number,
  body: bytes,
  sequence: number,
  state: text,
  sinceMs: number,
  dueAtMs: optional(number),
  attempts: number,
  failures: number,
});
export const storedAttempt = struct({
  sequence: number,
  attempt: number,
  atMs: number,
  durationMs: number,
  outcome: text,
  status: optional(number),
});
export const storedLookup = struct({
  index: text,
  blind: bytes,
  organizationId: text,
  recordId: text,
});
