// The root keys of a starting enclave: one, or two during a rotation.

import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { StoredOrganization, StorePort } from '../../store/port.ts';
import { createKeyRing, type KeyRing, openingKeys } from '../keys/key_ring.ts';
import { createRootKeys, keyBytes } from '../keys/root_keys.ts';
import { openKeyEpoch, readKeyEpoch, wipeKeyEpoch } from './key_epochs.ts';

export type OpenedKeys = {
  readonly ring: KeyRing;
  /** The root key of new rows. */
  readonly current: Uint8Array;
  /** The root key of the next epoch. */
  readonly next: Uint8Array | undefined;
  readonly version: number;
  readonly isRotating: boolean;
  /** True if the current key is the second key from the provider. */
  readonly usesSecondKey: boolean;
};

/**
 * Returns the keys of an enclave whose provider supplied one root key (32 bytes) or two (64), in any order.
 * Wipes its input. Raises `root_key_mismatch` if neither is the key of the data, and `root_key_rotating` if
 * the other key is missing.
 */
export async function openKeyRing(
  store: Pick<StorePort, 'organization'>,
  given: Uint8Array,
): Promise<OpenedKeys> {
  const { length } = given;
  assert(length === keyBytes || length === 2 * keyBytes, 'a root key has 32 bytes');
  const rootKey = copyOfSecret(given.subarray(0, keyBytes));
  const otherKey = length > keyBytes ? copyOfSecret(given.subarray(keyBytes)) : undefined;
  wipe(given);
  try {
    return ringOf(await readKeyEpoch(store), rootKey, otherKey);
  } catch (error) {
    wipe(rootKey, otherKey);
    throw error;
  }
}

function ringOf(
  row: StoredOrganization | undefined,
  rootKey: Uint8Array,
  otherKey: Uint8Array | undefined,
): OpenedKeys {
  if (row === undefined) {
    const ring = createKeyRing(createRootKeys(copyOfSecret(rootKey)));
    if (otherKey !== undefined) ring.add(openingKeys(otherKey, 1));
    return {
      ring,
      current: rootKey,
      next: otherKey,
      version: 0,
      isRotating: false,
      usesSecondKey: false,
    };
  }
  const own = openKeyEpoch(row, rootKey);
  const other = own === undefined && otherKey ? openKeyEpoch(row, otherKey) : undefined;
  const record = own ?? other ?? fail('root_key_mismatch');
  const [current, second] = own === undefined ? [otherKey, rootKey] : [rootKey, otherKey];
  assert(current !== undefined, 'a record opens with a key');
  if (record.earlier !== undefined || (record.isOnline && second === undefined)) {
    wipeKeyEpoch(record);
    fail('root_key_rotating');
  }
  const { version } = row;
  const { epoch, isOnline: isRotating } = record;
  const ring = createKeyRing(createRootKeys(copyOfSecret(current), record));
  if (second !== undefined && isRotating) ring.add(openingKeys(second, epoch - 1));
  // The other key opened the record, so the rotation has ended and the first key is the earlier one.
  const isNext = second !== undefined && !isRotating && own !== undefined;
  if (isNext) ring.add(openingKeys(second, epoch + 1));
  else wipe(second);
  return {
    ring,
    current,
    next: isNext ? second : undefined,
    version,
    isRotating,
    usesSecondKey: own === undefined,
  };
}
