// `keywright root-key rotate`: replaces the root key of existing data while the service is stopped. The next
// call continues a rotation that was killed.
//
// 1. Every row is opened with the current key.
// 2. The new key is written to a file of its own.
// 3. The record of key epochs is written, sealed under the new key. It holds the earlier key. From now on the
//    data belongs to the new key, and no service starts.
// 4. Every row is sealed again, until a whole pass finds no row of the earlier key.
// 5. The record is written without the earlier key.

import { readKeyEpochRow } from '../archive/offline_data.ts';
import { copyOfSecret, secretBytes, wipe } from '../core/base/bytes.ts';
import type { ServiceKeyRole } from '../core/crypto/service_keys.ts';
import { assert } from '../core/errors/errors.ts';
import { lastingKeys } from '../enclave/keys/lasting_keys.ts';
import { createRootKeys, keyBytes, type RootKeys } from '../enclave/keys/root_keys.ts';
import type { RecordAddress } from '../enclave/keys/sealing.ts';
import {
  type KeyEpochRecord,
  openKeyEpoch,
  rowOfKeyEpoch,
  wipeKeyEpoch,
} from '../enclave/records/key_epochs.ts';
import { createResealing, type Resealing, webhookEpochsIn } from '../enclave/records/resealing.ts';
import { placeOfRow } from '../enclave/records/sealed_places.ts';
import type { StoredOrganization } from '../store/port.ts';
import type { Rewriter } from '../store/tables/rewriter.ts';
import { type SealedTable, sealedTables } from '../store/tables/sealed_columns.ts';
import { type SealedRow, sealedPagesOf } from '../store/tables/sealed_pages.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import type { NewKeyFile } from './new_key_file.ts';

export type RotationPorts = {
  readonly database: Rewriter;
  readonly random: (length: number) => Uint8Array;
  readonly now: number;
  /** Reads the key of the provider: 32 bytes, the caller's to wipe. */
  readonly readRootKey: () => Promise<Uint8Array>;
  readonly newKey: NewKeyFile;
  readonly renewed: ReadonlySet<ServiceKeyRole>;
  /** Reports the number of rows in a step so far. */
  readonly progress: (step: 'checked' | 'sealed', rows: number) => void;
};

export type Rotation = {
  readonly epoch: number;
  /** Number of rows that this call sealed again. */
  readonly rows: number;
  /** True if this call ended a rotation of an earlier call. */
  readonly isContinued: boolean;
  /** False if the database may still hold replaced rows in unused space. */
  readonly isCompact: boolean;
};

/** The data belongs to `rootKey` from here on. */
type Begun = {
  readonly rootKey: Uint8Array;
  readonly row: StoredOrganization;
  readonly isContinued: boolean;
};

/** Rotates the root key. Raises UnusableDataError. */
export async function rotateRootKey(ports: RotationPorts): Promise<Rotation> {
  const begun = await beginOrContinue(ports);
  const { rootKey, row } = begun;
  const record = openKeyEpoch(row, rootKey);
  assert(record !== undefined, 'a record opens with its key');
  if (record.isOnline) {
    wipeKeyEpoch(record);
    throw new UnusableDataError(
      'a rotation of the running service has begun: start the service, which ends it',
    );
  }
  try {
    ports.newKey.install();
    const { rows, isCompact } = await resealAll(record, begun, ports);
    if (record.earlier !== undefined) {
      const ended = rowOfKeyEpoch({ ...record, earlier: undefined }, row.version + 1, {
        rootKey,
        random: ports.random,
      });
      if (!(await ports.database.put(ended))) throw inUse();
    }
    return { epoch: record.epoch, rows, isContinued: begun.isContinued, isCompact };
  } finally {
    wipe(rootKey);
    wipeKeyEpoch(record);
  }
}

async function beginOrContinue(ports: RotationPorts): Promise<Begun> {
  const row = await readKeyEpochRow(ports.database);
  const next = row && ports.newKey.read();
  if (row !== undefined && next !== undefined) {
    const record = openKeyEpoch(row, next);
    wipeKeyEpoch(record);
    if (record !== undefined) return { rootKey: next, row, isContinued: true };
  }
  wipe(next);
  const current = await ports.readRootKey();
  try {
    const record = row && openKeyEpoch(row, current);
    if (row !== undefined && record === undefined) throw wrongKey();
    if (row === undefined || record?.earlier === undefined) {
      return await begin(ports, { current, record, version: row?.version ?? 0 });
    }
    wipeKeyEpoch(record);
    return { rootKey: copyOfSecret(current), row, isContinued: true };
  } finally {
    wipe(current);
  }
}

/** Checks all rows, writes the new key, and then the record that makes it the key of the data. */
async function begin(
  ports: RotationPorts,
  {
    current,
    record,
    version,
  }: {
    readonly current: Uint8Array;
    readonly record: KeyEpochRecord | undefined;
    readonly version: number;
  },
): Promise<Begun> {
  const { database, random, renewed, newKey } = ports;
  const keys = createRootKeys(copyOfSecret(current), record);
  const epoch = keys.epoch + 1;
  const seed = random(keyBytes);
  let kept = new Map<string, Uint8Array>();
  try {
    const webhookEpochs = await checkAll(keys, ports);
    kept = lastingKeys(keys, { renewed, webhookEpochs });
    const rootKey = newKey.create();
    const contents = { epoch, seed, kept, earlier: current, isOnline: false };
    const row = rowOfKeyEpoch(contents, version + 1, { rootKey, random });
    if (!(await database.put(row))) throw inUse();
    return { rootKey, row, isContinued: false };
  } finally {
    keys.close();
    wipe(seed, ...kept.values());
  }
}

/**
 * Opens every row, because a rotation with an unreadable row could not end. Returns the epochs of the webhook
 * keys in use.
 */
async function checkAll(keys: RootKeys, ports: RotationPorts): Promise<ReadonlySet<number>> {
  const { random, now } = ports;
  const resealing = createResealing({ earlier: keys, next: keys, random, now, refuse: unopened });
  const webhookEpochs = new Set<number>();
  let rows = 0;
  await eachSealedPage(ports.database, undefined, async (_, page) => {
    for (const { place, row } of page) {
      const content = resealing.check(place, row.body);
      for (const epoch of webhookEpochsIn(place, content)) webhookEpochs.add(epoch);
    }
    rows += page.length;
    ports.progress('checked', rows);
  });
  return webhookEpochs;
}

/** Seals all rows again. Returns their number. */
async function resealAll(
  { epoch, earlier }: KeyEpochRecord,
  { rootKey }: Begun,
  ports: RotationPorts,
): Promise<Pick<Rotation, 'rows' | 'isCompact'>> {
  // The rotation has ended; only the key file remained to install.
  if (earlier === undefined) return { rows: 0, isCompact: true };
  const { database, random, now } = ports;
  // Rows are sealed only with keys of an epoch, so the keys that survive rotations are not needed.
  const keysOf = (key: Uint8Array, at: number) =>
    createRootKeys(
      copyOfSecret(key),
      at === 0 ? undefined : { epoch: at, seed: secretBytes(keyBytes), kept: new Map() },
    );
  const old = keysOf(earlier, epoch - 1);
  const next = keysOf(rootKey, epoch);
  try {
    const resealing = createResealing({ earlier: old, next, random, now, refuse: unopened });
    let rows = 0;
    for (;;) {
      const { replaced, missed } = await resealOnce(resealing, { epoch, rows }, ports);
      rows += replaced;
      if (missed === 0 && replaced === 0) break;
    }
    return { rows, isCompact: await database.compact() };
  } finally {
    old.close();
    next.close();
  }
}

/** Seals all rows in one pass. Misses rows that another process changes meanwhile. */
async function resealOnce(
  resealing: Resealing,
  { epoch, rows }: { readonly epoch: number; readonly rows: number },
  { database, progress }: RotationPorts,
): Promise<{ readonly replaced: number; readonly missed: number }> {
  let replaced = 0;
  let missed = 0;
  await eachSealedPage(database, epoch, async (table, page) => {
    const bodies = page.flatMap(({ row, place }) => {
      const body = resealing.reseal(place, row.body);
      return body === undefined ? [] : [{ row, body }];
    });
    if (bodies.length === 0) return;
    const changed = await database.replace(table, bodies);
    replaced += changed;
    missed += bodies.length - changed;
    progress('sealed', rows + replaced);
  });
  return { replaced, missed };
}

type PlacedRow = { readonly row: SealedRow; readonly place: RecordAddress };

/** Calls `use` with the sealed rows of each page. `ReadSealedPage` describes the effect of `before`. */
async function eachSealedPage(
  database: Rewriter,
  before: number | undefined,
  use: (table: SealedTable, page: readonly PlacedRow[]) => Promise<void>,
): Promise<void> {
  for (const table of sealedTables) {
    for await (const { rows } of sealedPagesOf(database.sealedPage, table, before)) {
      const page = rows.flatMap((row): PlacedRow[] => {
        const place = placeOfRow(table.table.name, row);
        return place === undefined ? [] : [{ row, place }];
      });
      if (page.length > 0) await use(table, page);
    }
  }
}

function unopened({ organizationId, kind, id }: RecordAddress): never {
  if (kind === 'deployment') throw wrongKey();
  throw new UnusableDataError(
    `the ${kind} ${id} of organization ${organizationId} does not open with the root key: restore the database from a backup first`,
  );
}

function wrongKey(): UnusableDataError {
  return new UnusableDataError('the root key is not the one that the database was made with');
}

function inUse(): UnusableDataError {
  return new UnusableDataError(
    'another process rotates the root key of this database: nothing was changed',
  );
}
