// The key epoch of an enclave, which follows the record of key epochs in the database.

import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { StorePort } from '../../store/port.ts';
import { type KeyRing, nameOfRootKey, openingKeys } from '../keys/key_ring.ts';
import { createRootKeys, keyBytes } from '../keys/root_keys.ts';
import {
  type KeyEpochRecord,
  openKeyEpoch,
  readKeyEpoch,
  wipeKeyEpoch,
} from '../records/key_epochs.ts';
import type { OpenedKeys } from '../records/opened_keys.ts';

/** The wait for work with the earlier key: the minimum, and the maximum while requests run. */
const grace = { leastMs: 2_000, mostMs: 30_000 };

export type FollowPorts = {
  readonly store: Pick<StorePort, 'organization'>;
  readonly clock: () => number;
  /** Seals the secrets of all organizations in memory in the current epoch. */
  readonly rewrapMemory: () => void;
  /** Number of client requests in progress. */
  readonly requests: () => number;
};

export type FollowedEpoch = {
  readonly ring: KeyRing;
  /** Reads the record, which any enclave of the deployment may have written. */
  follow(): Promise<void>;
  /** Takes ownership of the next root key. */
  give(next: Uint8Array): void;
  /** Wipes the earlier key if the rotation has ended and no request can need it. */
  dropEarlier(): void;
  readonly current: Uint8Array;
  readonly next: Uint8Array | undefined;
  readonly version: number;
  readonly isRotating: boolean;
  readonly usesSecondKey: boolean;
};

/** Creates the followed epoch, and takes ownership of the root keys. */
export function createFollowedEpoch(opened: OpenedKeys, ports: FollowPorts): FollowedEpoch {
  const { ring } = opened;
  const { store, clock, rewrapMemory } = ports;
  let { current, next, version, isRotating, usesSecondKey } = opened;
  let endedAtMs: number | undefined;

  /** Seals with the next root key from now on. */
  function adopt(record: KeyEpochRecord): void {
    assert(next !== undefined && record.epoch === ring.epoch + 1, 'the next epoch follows');
    ring.advance(createRootKeys(copyOfSecret(next), record));
    wipe(current);
    current = next;
    next = undefined;
    usesSecondKey = true;
    endedAtMs = undefined;
  }

  return {
    ring,
    get current() {
      return current;
    },
    get next() {
      return next;
    },
    get version() {
      return version;
    },
    get isRotating() {
      return isRotating;
    },
    get usesSecondKey() {
      return usesSecondKey;
    },
    follow: async () => {
      const row = await readKeyEpoch(store);
      const newest = row?.version ?? 0;
      // A rollback of the record.
      if (newest < version) fail('root_key_mismatch');
      if (row === undefined || newest === version) return;
      const own = openKeyEpoch(row, current);
      const record = own ?? (next && openKeyEpoch(row, next)) ?? fail('root_key_mismatch');
      if (own === undefined) adopt(record);
      else wipeKeyEpoch(record);
      isRotating = record.isOnline;
      version = newest;
    },
    give: (given) => {
      assert(given.length === keyBytes, 'a root key has 32 bytes');
      const isOwn = nameOfRootKey(given) === nameOfRootKey(current);
      if (isRotating || isOwn) return wipe(given);
      wipe(next);
      next = given;
      ring.add(openingKeys(given, ring.epoch + 1));
    },
    dropEarlier: () => {
      if (isRotating || next !== undefined || !ring.hasOthers()) return;
      endedAtMs ??= clock();
      rewrapMemory();
      const sinceMs = Math.abs(clock() - endedAtMs);
      if (sinceMs < grace.leastMs) return;
      if (ports.requests() > 0 && sinceMs < grace.mostMs) return;
      ring.keepCurrent();
    },
  };
}
