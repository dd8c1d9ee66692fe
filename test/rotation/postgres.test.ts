// A rotation of the root key on PostgreSQL, in which another process changes a row.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { readKeyEpochRow } from '../../src/archive/offline_data.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { newKeyFile } from '../../src/rotation/new_key_file.ts';
import { rotateRootKey } from '../../src/rotation/rotate.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { postgresRewriter } from '../../src/store/postgres/rewriter.ts';
import type { Rewriter } from '../../src/store/tables/rewriter.ts';
import { openKernelRandom } from '../../src/system/kernel_random.ts';
import { clock, newDatabase, postgresForTests } from '../store/postgres_server.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { startTestService, testRootKey } from '../support/harness.ts';
import { opener, sealedValuesOf } from './rotated_world.ts';

const server = await postgresForTests();
if (server !== undefined) after(() => server.remove());
const directory = temporaryDirectory();
after(() => directory.remove());
const random = openKernelRandom();

/** Creates a wallet and signatures. */
async function fill(url: string): Promise<void> {
  const service = await startTestService({
    store: await openPostgresStore({ clock, url, log: () => {} }),
  });
  const made = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'wallet',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  });
  const [address] = made.body.activity.result.createWalletResult.addresses;
  for (let i = 0; i < 20; i += 1) {
    const signed = await service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: address,
      payload: String(i),
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    });
    assert.equal(signed.status, 200);
  }
  await service.close();
}

test('a rotation on PostgreSQL replaces the rows that are as they were read', {
  skip: server === undefined && 'no PostgreSQL',
}, async () => {
  const url = await newDatabase(server?.url ?? '');
  await fill(url);
  const client = new pg.Client(url);
  await client.connect();
  const key = join(directory.path, 'root.key');
  writeFileSync(key, testRootKey(), { mode: 0o600 });
  const database = await postgresRewriter(url);
  let isChanged = false;
  // A row that changes between its read and its replacement is read again.
  const raced: Rewriter = {
    ...database,
    replace: async (sealedTable, bodies) => {
      const first = bodies[0]?.row.id;
      if (sealedTable.table.name === 'activities' && !isChanged) {
        isChanged = true;
        await client.query('UPDATE activities SET body = $1 WHERE id = $2', [
          Buffer.from(await otherBody(url, String(first))),
          first,
        ]);
      }
      return database.replace(sealedTable, bodies);
    },
  };
  const rotation = await rotateRootKey({
    database: raced,
    random,
    now: Date.now(),
    readRootKey: async () => testRootKey(),
    newKey: newKeyFile(`${key}.next`, key, random),
    renewed: new Set(),
    progress: () => undefined,
  });
  const row = await readKeyEpochRow(database);
  const rootKey = newKeyFile(key, undefined, random).read();
  await database.close();
  await client.end();
  assert.ok(isChanged);
  assert.equal(rotation.isCompact, false);
  assert.ok(rootKey !== undefined);
  const keys = rootKeysOf(row, rootKey);
  const opens = createSealing('seal', keys, random);
  const opensBefore = opener(testRootKey());
  const values = await sealedValuesOf(url);
  assert.equal(rotation.rows, values.length);
  for (const value of values) {
    assert.equal(opensBefore(value), undefined);
    assert.ok(opens.open(value.place, value.sealed) !== undefined, value.place.kind);
  }
});

/** Seals the content of an activity anew under the earlier key, as a late node would. */
async function otherBody(url: string, id: string): Promise<Uint8Array> {
  const earlier = createSealing('seal', createRootKeys(testRootKey()), random);
  const value = (await sealedValuesOf(url)).find(
    ({ place }) => place.kind === 'activity' && place.id === id,
  );
  assert.ok(value !== undefined);
  const content = earlier.open(value.place, value.sealed);
  assert.ok(content !== undefined);
  return earlier.seal(value.place, content);
}
