// Databases to rotate, and attempts to use the earlier key on the result.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { bytesOfBase64url, textOfUtf8 } from '../../src/core/base/bytes.ts';
import type { Json } from '../../src/core/schema/json.ts';
import {
  createRootKeys,
  type KeyEpoch,
  type KeyPurpose,
  type RootKeys,
} from '../../src/enclave/keys/root_keys.ts';
import { createSealing, type RecordAddress, sealMark } from '../../src/enclave/keys/sealing.ts';
import { placeOfRow } from '../../src/enclave/records/sealed_places.ts';
import { secretMembers } from '../../src/enclave/records/wrapped_secrets.ts';
import { newKeyFile } from '../../src/rotation/new_key_file.ts';
import { type Rotation, rotateRootKey } from '../../src/rotation/rotate.ts';
import { postgresSnapshot } from '../../src/store/postgres/copy.ts';
import { sqliteRewriter } from '../../src/store/sqlite/rewriter.ts';
import { type CopiedRow, pagesOf } from '../../src/store/tables/copied_tables.ts';
import { bytesOf } from '../../src/store/tables/rows.ts';
import { type SealedTable, sealedTables } from '../../src/store/tables/sealed_columns.ts';
import { openKernelRandom } from '../../src/system/kernel_random.ts';

/** Rotates the root key of a file; `keyFile` holds the current key and receives the next one. */
export async function rotateFile(
  file: string,
  keyFile: string,
  options: { readonly reported?: (step: string, rows: number) => void } = {},
): Promise<Rotation> {
  const random = openKernelRandom();
  const database = sqliteRewriter(file);
  try {
    return await rotateRootKey({
      database,
      random,
      now: Date.now(),
      readRootKey: async () => Uint8Array.from(readFileSync(keyFile)),
      newKey: newKeyFile(`${keyFile}.next`, keyFile, random),
      renewed: new Set(['verifier', 'legacy_verifier']),
      progress: options.reported ?? (() => undefined),
    });
  } finally {
    await database.close();
  }
}

export function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to);
}

/** Returns the address of a row; undefined for a row that is not sealed with the keys of records. */
function addressOf({ table, nameOf }: SealedTable, row: CopiedRow): RecordAddress | undefined {
  const name = nameOf(row);
  return name && placeOfRow(table.name, name);
}

export type SealedValue = { readonly place: RecordAddress; readonly sealed: Uint8Array };

/** Returns each sealed body of a database file with its address. */
export function sealedValues(file: string): readonly SealedValue[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return sealedTables.flatMap((sealedTable) =>
      database
        .prepare(`SELECT * FROM ${sealedTable.table.name}`)
        .all()
        .flatMap((row): SealedValue[] => {
          const place = addressOf(sealedTable, row as CopiedRow);
          return place === undefined ? [] : [{ place, sealed: bytesOf(row[sealedTable.column]) }];
        }),
    );
  } finally {
    database.close();
  }
}

/** Returns each sealed body of a PostgreSQL database with its address. */
export async function sealedValuesOf(url: string): Promise<readonly SealedValue[]> {
  const snapshot = await postgresSnapshot(url);
  const values: SealedValue[] = [];
  for (const sealedTable of sealedTables) {
    for await (const rows of pagesOf(snapshot, sealedTable.table)) {
      for (const row of rows) {
        const place = addressOf(sealedTable, row);
        if (place !== undefined) values.push({ place, sealed: bytesOf(row[sealedTable.column]) });
      }
    }
  }
  await snapshot.close();
  return values;
}

const purposes: readonly KeyPurpose[] = ['seal', 'wrap', 'session_token', 'key_epoch'];
const random = (length: number) => new Uint8Array(length);

/** Opens sealed values with a root key, under each purpose. */
export function opener(rootKey: Uint8Array, epoch?: KeyEpoch) {
  const keys = createRootKeys(Uint8Array.from(rootKey), epoch);
  const sealings = purposes.map((purpose) => createSealing(purpose, keys, random));
  return ({ place, sealed }: SealedValue): Uint8Array | undefined =>
    sealings.map((sealing) => sealing.open(place, sealed)).find((opened) => opened !== undefined);
}

/** Returns the secrets that a record seals once more, from its opened content. */
export function secretsIn({ organizationId, id, kind }: RecordAddress, content: Uint8Array) {
  const secret = secretMembers[kind];
  if (secret === undefined) return [];
  const row: { readonly [member: string]: Json } = JSON.parse(textOfUtf8(content) ?? '');
  const wrapped = row[secret.member];
  const sealed = typeof wrapped === 'string' ? bytesOfBase64url(wrapped) : undefined;
  if (sealed === undefined) return [];
  return [{ place: { organizationId, kind: secret.kind, id, version: 1 }, sealed }];
}

/** Returns the content of each row of a database by its address, with decrypted secrets. */
export function contentsOf(file: string, keys: RootKeys): ReadonlyMap<string, string> {
  const records = createSealing('seal', keys, random);
  const secrets = createSealing('wrap', keys, random);
  const contents = new Map<string, string>();
  for (const { place, sealed } of sealedValues(file)) {
    const content = records.open(place, sealed);
    assert.ok(content !== undefined, `${place.kind} ${place.id} opens`);
    const row = JSON.parse(textOfUtf8(content) ?? '');
    // The key of the digest in a head belongs to the rotation.
    if (place.kind === 'organization') delete row.completenessKey;
    for (const secret of secretsIn(place, content)) {
      const opened = secrets.open(secret.place, secret.sealed);
      assert.ok(opened !== undefined, `the secret of ${place.kind} ${place.id} opens`);
      row[secretMembers[place.kind]?.member ?? ''] = Buffer.from(opened).toString('hex');
    }
    contents.set(JSON.stringify(place), `${sealMark(sealed)} ${JSON.stringify(row)}`);
  }
  return contents;
}

/** Returns each text in a JSON value that could be sealed bytes. */
export function sealedTextsIn(content: Uint8Array): readonly Uint8Array[] {
  const texts: Uint8Array[] = [];
  JSON.parse(textOfUtf8(content) ?? '', (_, value: unknown) => {
    const bytes = typeof value === 'string' ? bytesOfBase64url(value) : undefined;
    if (bytes !== undefined && bytes.length > 32) texts.push(bytes);
    return value;
  });
  return texts;
}
