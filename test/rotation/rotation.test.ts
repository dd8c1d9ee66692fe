// A rotation of the root key of the database of the tamper tests, which has rows of every kind.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readKeyEpochRow } from '../../src/archive/offline_data.ts';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { serviceKeyRoles } from '../../src/core/crypto/service_keys.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../src/enclave/keys/service_keys.ts';
import { openKeyEpoch, rootKeysOf } from '../../src/enclave/records/key_epochs.ts';
import { secretMembers } from '../../src/enclave/records/wrapped_secrets.ts';
import { openAllRows } from '../../src/gateway/custody/open_rows.ts';
import { sqliteSnapshot } from '../../src/store/sqlite/copy.ts';
import { openDatabase, openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import { startServiceOver } from '../enclave/service_over.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { seededRandom, testRootKey } from '../support/harness.ts';
import { createTestOutside } from '../support/outside.ts';
import { type Probe, probesOf } from '../tamper/probes.ts';
import { sqliteTables } from '../tamper/tables.ts';
import { bootstrapRequest, buildWorld, type World } from '../tamper/world.ts';
import {
  copyDatabase,
  opener,
  rotateFile,
  sealedTextsIn,
  sealedValues,
  secretsIn,
} from './rotated_world.ts';

const directory = temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);
const keyFile = at('root.key');
let world: World;
let newKey = new Uint8Array(0);

before(async () => {
  const database = openDatabase({ file: at('original.sqlite') });
  database.exec('PRAGMA synchronous = OFF');
  const store = createSqliteStore(database);
  world = await buildWorld(store.port, sqliteTables(database));
  await store.close();
  copyDatabase(at('original.sqlite'), at('rotated.sqlite'));
  writeFileSync(keyFile, testRootKey(), { mode: 0o600 });
  const rotation = await rotateFile(at('rotated.sqlite'), keyFile);
  assert.equal(rotation.epoch, 1);
  assert.equal(rotation.rows, sealedValues(at('original.sqlite')).length);
  newKey = Uint8Array.from(readFileSync(keyFile));
});

/** Starts a service on a copy of a database, and returns the answers to probes. */
async function answersOf(
  file: string,
  rootKey: Uint8Array,
  probes: readonly Probe[],
): Promise<readonly string[]> {
  const copy = at('asked.sqlite');
  copyDatabase(file, copy);
  const store = openSqliteStore({ file: copy });
  try {
    const clock = () => world.nowMs + 10_000;
    const service = await startServiceOver({ store: store.port, seed: 'asked', clock, rootKey });
    await service.enclave.bootstrap(bootstrapRequest);
    const answers: string[] = [];
    for (const { name, kind, operation, body, stamp } of probes) {
      const answer = await service.ask({
        requestId: name,
        kind,
        operation,
        headers: [stamp],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body,
      });
      answers.push(`${name}: ${answer.status} ${textOfUtf8(answer.body)}`);
    }
    return answers;
  } finally {
    await store.close();
  }
}

async function recordOf(file: string, rootKey: Uint8Array) {
  const snapshot = sqliteSnapshot(file);
  const row = await readKeyEpochRow(snapshot);
  await snapshot.close();
  assert.ok(row !== undefined);
  return { row, record: openKeyEpoch(row, rootKey) };
}

describe('after a rotation', () => {
  test('the service answers and signs as before', async () => {
    const { reads, signatures } = probesOf(world);
    const probes = [...reads, ...signatures];
    const earlier = await answersOf(at('original.sqlite'), testRootKey(), probes);
    assert.ok(earlier.filter((answer) => answer.includes(': 200 ')).length > 300);
    const later = await answersOf(at('rotated.sqlite'), Uint8Array.from(newKey), probes);
    assert.deepEqual(later, earlier);
  });

  test('every row opens in its place, and every organization is complete', async () => {
    const store = openSqliteStore({ file: at('rotated.sqlite') });
    const snapshot = sqliteSnapshot(at('rotated.sqlite'));
    try {
      const enclave = createEnclave({
        store: store.port,
        external: createTestOutside(),
        clock: () => world.nowMs,
        random: seededRandom('custodian'),
        log: () => undefined,
      });
      await enclave.startCustody({ rootKey: Uint8Array.from(newKey) });
      const custodian = {
        call: async (name: 'openRows', request: never) => enclave[name](request),
      };
      await openAllRows(snapshot, custodian as never, () => undefined);
    } finally {
      await snapshot.close();
      await store.close();
    }
  });

  test('the earlier key opens nothing that remains', async () => {
    const opensBefore = opener(testRootKey());
    const original = sealedValues(at('original.sqlite'));
    assert.ok(original.every((value) => opensBefore(value) !== undefined));
    const kinds = new Set<string>();
    const { record } = await recordOf(at('rotated.sqlite'), newKey);
    assert.ok(record !== undefined && record.earlier === undefined);
    const keys = createRootKeys(Uint8Array.from(newKey), record);
    const { createSealing } = await import('../../src/enclave/keys/sealing.ts');
    const opens = createSealing('seal', keys, seededRandom('unused'));
    const wraps = createSealing('wrap', keys, seededRandom('unused'));
    for (const value of sealedValues(at('rotated.sqlite'))) {
      assert.equal(opensBefore(value), undefined, `${value.place.kind} ${value.place.id}`);
      const content = opens.open(value.place, value.sealed);
      assert.ok(content !== undefined, `${value.place.kind} ${value.place.id}`);
      // Even both keys together open no secret of the earlier key inside a row.
      for (const secret of secretsIn(value.place, content)) {
        kinds.add(value.place.kind);
        assert.equal(opensBefore(secret), undefined);
        assert.ok(wraps.open(secret.place, secret.sealed) !== undefined);
      }
      for (const sealed of sealedTextsIn(content)) {
        for (const { kind } of Object.values(secretMembers)) {
          const { organizationId, id } = value.place;
          const place = { organizationId, kind, id, version: 1 };
          assert.equal(opensBefore({ place, sealed }), undefined, value.place.kind);
        }
      }
    }
    assert.deepEqual([...kinds].sort(), Object.keys(secretMembers).sort());
    const { row } = await recordOf(at('rotated.sqlite'), newKey);
    assert.equal(openKeyEpoch(row, testRootKey()), undefined);
  });

  test('the file holds no part of an earlier body', () => {
    const whole = readFileSync(at('rotated.sqlite'));
    assert.ok(
      sealedValues(at('original.sqlite')).every(({ sealed }) => {
        // The tag stays, because other rows refer to it. The ciphertext before it changes.
        const part = sealed.subarray(Math.max(17, sealed.length - 48), sealed.length - 16);
        return whole.indexOf(part) === -1;
      }),
    );
  });

  test('clients find the keys that they pinned, and the keys of codes are new', async () => {
    const keysOf = (root: ReturnType<typeof createRootKeys>) => {
      const keys = createServiceKeys(root, seededRandom('unused'));
      return Object.values(serviceKeyRoles).map(({ name }) =>
        [name, Buffer.from(keys.publicKey(name)).toString('hex')].join(' '),
      );
    };
    const { row } = await recordOf(at('rotated.sqlite'), newKey);
    const earlier = keysOf(createRootKeys(testRootKey()));
    const later = keysOf(rootKeysOf(row, Uint8Array.from(newKey)));
    const changed = earlier
      .filter((line) => !later.includes(line))
      .map((line) => line.split(' ')[0]);
    assert.deepEqual(changed, ['verifier', 'legacy_verifier']);
  });

  test('the service refuses the earlier key, and a rotation that has not ended', async () => {
    const code = (expected: string) => (error: unknown) =>
      error instanceof ServiceError && error.code === expected;
    const store = openSqliteStore({ file: at('rotated.sqlite') });
    try {
      const start = (rootKey: Uint8Array) =>
        startServiceOver({ store: store.port, seed: 'refused', clock: Date.now, rootKey });
      await assert.rejects(start(testRootKey()), code('root_key_mismatch'));
    } finally {
      await store.close();
    }
  });

  test('a further rotation replaces the key again', async () => {
    const [file, key] = [at('twice.sqlite'), at('twice.key')];
    copyDatabase(at('rotated.sqlite'), file);
    writeFileSync(key, newKey, { mode: 0o600 });
    const rotation = await rotateFile(file, key);
    assert.equal(rotation.epoch, 2);
    const third = Uint8Array.from(readFileSync(key));
    const [secondOpens, firstOpens] = [opener(newKey), opener(testRootKey())];
    for (const value of sealedValues(file)) {
      assert.equal(secondOpens(value) ?? firstOpens(value), undefined);
    }
    const { reads, signatures } = probesOf(world);
    const probes = [...reads, ...signatures];
    assert.deepEqual(
      await answersOf(file, third, probes),
      await answersOf(at('original.sqlite'), testRootKey(), probes),
    );
  });
});

test('a rotation checks every row before it begins', async () => {
  const [file, key] = [at('damaged.sqlite'), at('damaged.key')];
  copyDatabase(at('original.sqlite'), file);
  writeFileSync(key, testRootKey(), { mode: 0o600 });
  const database = openDatabase({ file });
  database.exec("UPDATE records SET version = version + 1 WHERE kind = 'wallet'");
  database.close();
  await assert.rejects(rotateFile(file, key), /the wallet .* does not open with the root key/);
  assert.deepEqual(Buffer.from(readFileSync(key)), Buffer.from(testRootKey()));
  const opensBefore = opener(testRootKey());
  const values = sealedValues(file).filter(({ place }) => place.kind !== 'wallet');
  assert.ok(values.every((value) => opensBefore(value) !== undefined));
});

test('a rotation refuses the key of other data', async () => {
  const [file, key] = [at('foreign.sqlite'), at('foreign.key')];
  copyDatabase(at('original.sqlite'), file);
  writeFileSync(key, new Uint8Array(32).fill(9), { mode: 0o600 });
  await assert.rejects(rotateFile(file, key), /is not the one that the database was made with/);
});
