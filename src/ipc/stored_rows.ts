// Rows of the store as they cross between gateway and enclave.

import { smallKinds } from '../core/organization/kinds.ts';
import {
  boolean,
  bytes,
  FrameError,
  list,
  number,
  optional,
  type Schema,
  struct,
  text,
} from './codec.ts';

const listedKinds = list(text);
/** Kinds of records. The set of all small kinds takes one byte, because most reads request it. */
export const recordKinds: Schema<readonly string[]> = {
  minimumBytes: 1,
  write: (writer, kinds) => {
    const areAllSmall = areEqual(kinds, smallKinds);
    writer.flag(areAllSmall);
    if (!areAllSmall) listedKinds.write(writer, kinds);
  },
  read: (reader) => {
    if (reader.flag()) return smallKinds;
    const kinds = listedKinds.read(reader);
    if (areEqual(kinds, smallKinds)) throw new FrameError('a list has a shorter spelling');
    return kinds;
  },
};

function areEqual(kinds: readonly string[], others: readonly string[]): boolean {
  if (kinds === others) return true;
  return kinds.length === others.length && kinds.every((kind, i) => kind === others[i]);
}

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
/** Condition of a change: the version on which it was decided. */
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
