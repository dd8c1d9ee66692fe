// Measures the bytes on disk of an activity, on SQLite and PostgreSQL: npm run growth. The whole enclave runs
// in this process over the real stores. A user with several credentials signs.
//
// GROWTH_ACTIVITIES    signatures on each store (20000)
// GROWTH_CREDENTIALS   API keys of the user who signs (4)
// GROWTH_ONLY          sqlite or postgres: only this store

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createRootKeys } from '../src/enclave/keys/root_keys.ts';
import { createSealing } from '../src/enclave/keys/sealing.ts';
import { openPostgresStore } from '../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import {
  canStartPostgres,
  clock,
  newDatabase,
  startPostgresServer,
} from '../test/store/postgres_server.ts';
import { temporaryDirectory } from '../test/store/temporary_directory.ts';
import { startTestService, testKey, testRootKey } from '../test/support/harness.ts';

const activityCount = Number(process.env['GROWTH_ACTIVITIES'] ?? 20_000);
const credentialCount = Number(process.env['GROWTH_CREDENTIALS'] ?? 4);
const only = process.env['GROWTH_ONLY'];
/** The number of concurrent requests. */
const concurrency = 32;

if (only !== 'postgres') await measureSqlite();
if (only !== 'sqlite' && canStartPostgres) await measurePostgres();

async function measureSqlite(): Promise<void> {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'keywright.sqlite');
  const bodies = await fill(openSqliteStore({ file }));
  print(`\nSQLite, ${activityCount} signatures of a user with ${credentialCount} credentials`);
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT name, sum(pgsize) AS size, sum(unused) AS unused, sum(payload) AS payload
       FROM dbstat GROUP BY name ORDER BY size DESC LIMIT 6`,
    )
    .all();
  print('  bytes an activity   page fill   table or index');
  for (const { name, size, unused } of rows) {
    const fill = 1 - Number(unused) / Number(size);
    print(`  ${perActivity(Number(size))}   ${fill.toFixed(2).padStart(9)}   ${name}`);
  }
  print(`  ${perActivity(statSync(file).size)}               the whole file`);
  database.close();
  printBodies(bodies);
  directory.remove();
}

async function measurePostgres(): Promise<void> {
  const server = await startPostgresServer();
  try {
    const url = await newDatabase(server.url);
    const bodies = await fill(await openPostgresStore({ url, clock, log: () => {} }));
    print(
      `\nPostgreSQL, ${activityCount} signatures of a user with ${credentialCount} credentials`,
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string; size: string }>(
      `SELECT relname AS name, pg_relation_size(oid) AS size FROM pg_class
       WHERE relkind IN ('r', 'i', 't') ORDER BY size DESC LIMIT 500`,
    );
    print('  bytes an activity   table or index');
    const own = /^(activities|records|lookups|organizations)/;
    for (const { name, size } of rows.filter((row) => own.test(row.name)).slice(0, 6)) {
      print(`  ${perActivity(Number(size))}   ${name}`);
    }
    const total = rows
      .filter((row) => own.test(row.name))
      .reduce((sum, { size }) => sum + Number(size), 0);
    print(`  ${perActivity(total)}   together`);
    await client.end();
    printBodies(bodies);
  } finally {
    await server.remove();
  }
}

/** Creates the activities; returns the stored JSON of a few of them. Closes the store. */
async function fill(store: Store): Promise<readonly string[]> {
  const service = await startTestService({ store });
  const must = async (
    answer: Promise<{
      status: number;
      body: { activity: { result: Record<string, Record<string, unknown>> } };
    }>,
  ) => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.activity;
  };
  const apiKeys = Array.from({ length: credentialCount - 1 }, (_, i) => ({
    apiKeyName: `Laptop ${i + 1}`,
    publicKey: testKey(`growth ${i}`).publicKey,
    curveType: 'API_KEY_CURVE_P256',
  }));
  const { userId } = service.root;
  if (apiKeys.length > 0) {
    await must(
      service.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys }),
    );
  }
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const made = await must(
    service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'growth',
      accounts: [account],
    }),
  );
  const addresses = made.result['createWalletResult']?.['addresses'];
  const signWith = Array.isArray(addresses) ? String(addresses[0]) : '';
  let left = activityCount;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        await must(
          service.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
            signWith,
            payload: left.toString(16).padStart(64, '0'),
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
            hashFunction: 'HASH_FUNCTION_NO_OP',
          }),
        );
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  print(
    `\nmade in ${seconds.toFixed(1)} s, ${(activityCount / seconds).toFixed(0)}/s in one process`,
  );
  const { organizationId } = service.root;
  const rows = await store.port.activityPage({
    organizationId,
    statuses: [],
    types: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
    page: { greaterThan: undefined, lessThan: undefined, ascending: false, limit: 100 },
  });
  const sealing = createSealing('seal', createRootKeys(testRootKey()), (n) => new Uint8Array(n));
  const texts = rows.map(({ id, version, body }) => {
    const opened = sealing.open({ organizationId, kind: 'activity', id, version }, body);
    return new TextDecoder().decode(opened);
  });
  await service.close();
  return texts;
}

/** Prints the average bytes of each member of these bodies. */
function printBodies(texts: readonly string[]): void {
  const sizes = new Map<string, number>();
  const add = (name: string, size: number) => sizes.set(name, (sizes.get(name) ?? 0) + size);
  for (const text of texts) {
    add('the whole body', text.length);
    const body: Record<string, unknown> = JSON.parse(text);
    for (const [name, value] of Object.entries(body)) {
      add(name, JSON.stringify(value).length + name.length + 4);
      if (name !== 'votes' && name !== 'v') continue;
      const [vote] = value as readonly Record<string, unknown>[];
      for (const [member, part] of Object.entries(vote ?? {})) {
        add(`  ${name}.${member}`, JSON.stringify(part).length + member.length + 4);
      }
    }
  }
  print('  bytes of a body, by member');
  for (const [name, size] of sizes)
    print(`  ${(size / texts.length).toFixed(0).padStart(6)} ${name}`);
}

function perActivity(bytes: number): string {
  return (bytes / activityCount).toFixed(0).padStart(17);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
