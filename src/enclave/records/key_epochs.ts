// The record of a rotated root key: its epoch, and the keys that survived the rotation. It is a row in the
// table of organizations, sealed directly with the root key of its epoch. A deployment without rotations has
// no such record. Until an offline rotation has ended, the record also contains the earlier root key.
//
// The sealed bytes are the length of a JSON text (4, big endian), that text, and the keys that it names, 32
// bytes each: the seed, the surviving keys, and the earlier root key.

import { concatSecrets, copyOfSecret, textOfUtf8, utf8, wipe } from '../../core/base/bytes.ts';
import { keyEpochId } from '../../core/custody/sealed_form.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { StoredOrganization, StorePort } from '../../store/port.ts';
import { createRootKeys, type KeyEpoch, keyBytes, type RootKeys } from '../keys/root_keys.ts';
import { createSealing, type RecordAddress, type Sealing } from '../keys/sealing.ts';
import { readOwnRow } from './record_codec.ts';

/** An opened record. The caller wipes its keys. */
export type KeyEpochRecord = KeyEpoch & {
  /** The earlier root key, until an offline rotation has ended. */
  readonly earlier: Uint8Array | undefined;
  /** True until an online rotation has ended. Its enclaves receive both root keys. */
  readonly isOnline: boolean;
};

type Contents = {
  readonly epoch: number;
  readonly kept: readonly string[];
  readonly hasEarlier: boolean;
  readonly isOnline?: true;
};

const lengthBytes = 4;

const placeOf = (version: number): RecordAddress => ({
  organizationId: keyEpochId,
  kind: 'key_epoch',
  id: keyEpochId,
  version,
});

/** Runs a function with the sealing of the record under a root key, which the caller still owns. */
function withSealing<Result>(
  rootKey: Uint8Array,
  random: (length: number) => Uint8Array,
  run: (sealing: Sealing) => Result,
): Result {
  const keys = createRootKeys(copyOfSecret(rootKey));
  try {
    return run(createSealing('key_epoch', keys, random));
  } finally {
    keys.close();
  }
}

/** Returns the row of a record, whose keys the caller still owns. */
export function rowOfKeyEpoch(
  { epoch, seed, kept, earlier, isOnline }: KeyEpochRecord,
  version: number,
  { rootKey, random }: { rootKey: Uint8Array; random: (length: number) => Uint8Array },
): StoredOrganization {
  const names = [...kept.keys()];
  const hasEarlier = earlier !== undefined;
  const contents: Contents = { epoch, kept: names, hasEarlier, ...(isOnline ? { isOnline } : {}) };
  const text = utf8(JSON.stringify(contents));
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, text.length);
  const keys = [seed, ...kept.values(), ...(earlier === undefined ? [] : [earlier])];
  assert(
    keys.every((key) => key.length === keyBytes),
    'a kept key has 32 bytes',
  );
  const plaintext = concatSecrets(length, text, ...keys);
  try {
    const head = withSealing(rootKey, random, (sealing) =>
      sealing.seal(placeOf(version), plaintext),
    );
    return { organizationId: keyEpochId, parentId: undefined, version, guard: version, head };
  } finally {
    wipe(plaintext);
  }
}

/** Opens the row of a record. Returns undefined for the row of another root key. */
export function openKeyEpoch(
  { version, head }: Pick<StoredOrganization, 'version' | 'head'>,
  rootKey: Uint8Array,
): KeyEpochRecord | undefined {
  // This sealing only opens.
  const random = (length: number) => new Uint8Array(length);
  const opened = withSealing(rootKey, random, (sealing) => sealing.open(placeOf(version), head));
  if (opened === undefined) return undefined;
  try {
    const start = new DataView(opened.buffer, opened.byteOffset).getUint32(0) + lengthBytes;
    const text = textOfUtf8(opened.subarray(lengthBytes, start));
    assert(text !== undefined, 'the record of key epochs holds text');
    const { epoch, kept, hasEarlier, isOnline }: Contents = JSON.parse(text);
    const keyAt = (place: number) => {
      const at = start + place * keyBytes;
      return copyOfSecret(opened.subarray(at, at + keyBytes));
    };
    return {
      epoch,
      seed: keyAt(0),
      kept: new Map(kept.map((name, place) => [name, keyAt(place + 1)])),
      earlier: hasEarlier ? keyAt(kept.length + 1) : undefined,
      isOnline: isOnline === true,
    };
  } finally {
    wipe(opened);
  }
}

/** Returns the row of the record; undefined if the root key was never rotated. */
export async function readKeyEpoch(
  store: Pick<StorePort, 'organization'>,
): Promise<StoredOrganization | undefined> {
  const place = { organizationId: keyEpochId, kind: 'key_epoch', id: keyEpochId };
  return (await readOwnRow(store, place, 0)).organization;
}

/**
 * Returns the root keys for the epoch of a row. They own `rootKey` then; after an error the caller still owns
 * it. Raises `root_key_mismatch` for the record of another root key, and `root_key_rotating` for an
 * unfinished rotation.
 */
export function rootKeysOf(row: StoredOrganization | undefined, rootKey: Uint8Array): RootKeys {
  if (row === undefined) return createRootKeys(rootKey);
  const record = openKeyEpoch(row, rootKey) ?? fail('root_key_mismatch');
  if (record.earlier !== undefined || record.isOnline) {
    wipeKeyEpoch(record);
    fail('root_key_rotating');
  }
  return createRootKeys(rootKey, record);
}

/** Wipes the keys of a record, if there is one. */
export function wipeKeyEpoch(record: KeyEpochRecord | undefined): void {
  wipe(record?.seed, record?.earlier, ...(record?.kept.values() ?? []));
}
