// The archive on both stores: the moved and the remaining rows, a kill at each step, verification and
// import.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type ArchiveStep,
  type ArchiveTools,
  archiveActivities,
  archiveSteps,
  importSegments,
} from '../../src/archive/archive.ts';
import { segmentsOf } from '../../src/archive/chain.ts';
import { openArchiveDirectory } from '../../src/archive/directory.ts';
import { type ArchiveEnds, archiveEnds } from '../../src/archive/ends.ts';
import { encodeSegment } from '../../src/archive/segment.ts';
import { p256 } from '../../src/core/crypto/p256.ts';
import { negateScalar, orders } from '../../src/core/crypto/scalars.ts';
import { knownRules } from '../../src/core/custody/rules.ts';
import { assert as must } from '../../src/core/errors/errors.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createServiceKeys } from '../../src/enclave/keys/service_keys.ts';
import { createCustodyReader } from '../../src/enclave/records/custody_reader.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { noAnchor } from '../../src/enclave/services/custody.ts';
import type { StoredActivity } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { clock, newDatabase, postgresForTests } from '../store/postgres_server.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { seededRandom, startTestService, testKey, testRootKey } from '../support/harness.ts';

const dayMs = 24 * 60 * 60 * 1000;
const random = seededRandom('archive');
const keysOf = (rootKey: Uint8Array) => {
  const rootKeys = createRootKeys(rootKey);
  const serviceKeys = createServiceKeys(rootKeys, random);
  const publicKey = p256.parsePublicKey(serviceKeys.publicKey('archivist'));
  must(publicKey !== undefined, 'a service key is a point');
  return {
    codec: createRecordCodec(createSealing('seal', rootKeys, random)),
    publicKey,
    sign: (digest: Uint8Array) => serviceKeys.sign('archivist', digest),
  };
};
const keys = keysOf(testRootKey());
const keysOfAnother = keysOf(new Uint8Array(32).fill(9));

/** Starts a service with a child, decided activities in both, and one that waits. */
async function startWorld(store: Store) {
  const folder = temporaryDirectory();
  const service = await startTestService({ store });
  const { organizationId, userId } = service.root;
  const submit = async (operation: string, type: string, parameters: object, as = {}) => {
    const answer = await service.submit(operation, type, parameters, as);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.activity;
  };
  const wallet = (walletName: string, as = {}) =>
    submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [] }, as);
  const childKey = testKey('child');
  const made = await submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Child',
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: 'Child user',
        apiKeys: [
          { apiKeyName: 'k', publicKey: childKey.publicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  });
  const childId: string = made.result.createSubOrganizationResultV7.subOrganizationId;
  const child = { organizationId: childId, key: childKey };
  for (const name of ['a', 'b', 'c']) await wallet(name);
  for (const name of ['d', 'e']) await wallet(name, child);
  const second = testKey('second');
  const users = await submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        userName: 'Second',
        userTags: [],
        apiKeys: [
          { apiKeyName: 'k', publicKey: second.publicKey, curveType: 'API_KEY_CURVE_P256' },
        ],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  });
  const secondId: string = users.result.createUsersResult.userIds[0];
  await submit('update_root_quorum', 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [userId, secondId],
  });
  const waiting = await wallet('waits');
  assert.equal(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  service.advance(40 * dayMs);
  const young = await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'young',
    accounts: [],
  });
  assert.equal(young.status, 200);

  const rowsOf = (id: string): Promise<readonly StoredActivity[]> =>
    store.port.activityPage({
      organizationId: id,
      statuses: [],
      types: [],
      page: { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 1000 },
    });
  const all = async () => [...(await rowsOf(organizationId)), ...(await rowsOf(childId))];
  const run = async <Result>(
    work: (tools: ArchiveTools) => Promise<Result>,
    path = folder.path,
  ): Promise<Result> => {
    const directory = openArchiveDirectory(path);
    const { codec } = keys;
    const ports = { store: store.port, codec, anchor: noAnchor, clock: service.now };
    const ends = archiveEnds(createCustodyReader({ ...ports, rules: knownRules }));
    try {
      const tools = { store, ...keys, ends, directory, clock: service.now, segmentBytes: 4_000 };
      return await work(tools);
    } finally {
      directory.close();
    }
  };
  const cutOff = { before: service.now() - 35 * dayMs };
  return {
    service,
    folder,
    child,
    waitingId: String(waiting.id),
    youngId: String(young.body.activity.id),
    all,
    run,
    archive: ({ acceptsLoss, ...more }: { organizationId?: string; acceptsLoss?: boolean } = {}) =>
      run((tools) => archiveActivities({ ...cutOff, ...more }, { ...tools, acceptsLoss })),
    cutOff,
    archiveUntil: (step: ArchiveStep, count: number) => {
      let seen = 0;
      return run((tools) =>
        archiveActivities(cutOff, {
          ...tools,
          step: (name) => {
            seen += name === step ? 1 : 0;
            if (seen === count) throw new Error('killed');
          },
        }),
      );
    },
    import: (more: { acceptsLoss?: boolean } = {}) =>
      run((tools) => importSegments({ ...tools, ...more })),
    verify: (checking: Parameters<typeof segmentsOf>[1] = keys) =>
      run(async ({ directory, ends }) =>
        [...segmentsOf(directory, { ...checking, end: await ends.read() })].map(
          ({ segment }) => segment,
        ),
      ),
    files: () =>
      readdirSync(folder.path)
        .filter((name) => /^\d/.test(name))
        .sort(),
    close: async () => {
      await service.close();
      folder.remove();
    },
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;
const postgres = await postgresForTests();
after(() => postgres?.remove());

const stores: Readonly<Record<string, (() => Promise<Store>) | undefined>> = {
  sqlite: async () => openSqliteStore({ file: ':memory:' }),
  postgres:
    postgres === undefined
      ? undefined
      : async () =>
          openPostgresStore({ url: await newDatabase(postgres.url), clock, log: () => {} }),
};

for (const [name, open] of Object.entries(stores)) {
  if (open === undefined) continue;
  describe(`on ${name}`, () => {
    test('the archive takes activities decided before a time, and an import puts them back unchanged', async () => {
      const world = await startWorld(await open());
      try {
        const rows = await world.all();
        const answers = await answersOf(world, rows);
        const archived = await world.archive();
        assert.equal(archived.activities, rows.length - 2);
        assert.ok(archived.segments > 1, 'the bound of a segment is kept');
        assert.deepEqual(
          (await world.all()).map(({ id }) => id),
          [world.waitingId, world.youngId],
        );
        assert.deepEqual(await world.archive(), { segments: 0, activities: 0 });
        assert.deepEqual(
          world.files().map((file) => file.slice(6)),
          Array(archived.segments).fill('.segment'),
        );
        assert.equal((await world.verify()).length, archived.segments);

        const imported = await world.import();
        assert.equal(imported.restored, archived.activities);
        assert.deepEqual(await world.all(), rows);
        assert.deepEqual(await answersOf(world, rows), answers);
        assert.equal((await world.import()).restored, 0);
        assert.deepEqual(await world.all(), rows);
        assert.equal((await world.archive()).activities, archived.activities);
        assert.equal((await world.verify()).length, 2 * archived.segments);
      } finally {
        await world.close();
      }
    });

    test('one organization alone', async () => {
      const world = await startWorld(await open());
      try {
        const { organizationId } = world.child;
        assert.equal((await world.archive({ organizationId })).activities, 2);
        const left = await world.all();
        assert.ok(left.every((row) => row.organizationId !== organizationId));
      } finally {
        await world.close();
      }
    });

    for (const step of archiveSteps) {
      for (const count of [1, 2]) {
        test(`killed before step ${step}, time ${count}: nothing is lost, and a second run goes on`, async () => {
          const world = await startWorld(await open());
          try {
            const rows = await world.all();
            await assert.rejects(world.archiveUntil(step, count), /killed/);
            const kept = new Set((await world.all()).map(({ id }) => id));
            const moved = (await world.verify()).flatMap(({ activities }) => activities);
            for (const { id } of moved) kept.add(id);
            assert.deepEqual([...kept].sort(), rows.map(({ id }) => id).sort());
            await world.archive();
            assert.deepEqual(
              (await world.all()).map(({ id }) => id),
              [world.waitingId, world.youngId],
            );
            await world.import();
            assert.deepEqual(await world.all(), rows);
          } finally {
            await world.close();
          }
        });
      }
    }
  });
}

async function answersOf({ service, child }: World, rows: readonly StoredActivity[]) {
  const answers: unknown[] = [];
  for (const { id, organizationId } of rows) {
    const as = organizationId === child.organizationId ? child : {};
    answers.push(await service.query('get_activity', { activityId: id }, as));
  }
  return answers;
}

describe('callers', () => {
  let world: World;
  let rows: readonly StoredActivity[];
  before(async () => {
    world = await startWorld(openSqliteStore({ file: ':memory:' }));
    rows = await world.all();
    await world.archive();
  });
  after(() => world.close());

  test('a member is told the segment, whatever it asks of the activity', async () => {
    const [first] = rows;
    assert(first !== undefined);
    for (const operation of [
      'get_activity',
      'explain_activity',
      'get_policy_evaluations',
      'list_app_proofs',
    ]) {
      const answer = await world.service.query(operation, { activityId: first.id });
      assert.equal(answer.status, 404, operation);
      assert.match(answer.body.message, /^unable to find activity .*the archive segment 000001/);
    }
  });

  test('others are told nothing of it', async () => {
    const [first] = rows;
    assert(first !== undefined);
    const answer = await world.service.query('get_activity', { activityId: first.id }, world.child);
    assert.equal(answer.status, 404);
    assert.doesNotMatch(answer.body.message, /archive/);
  });

  test('an id that never was, younger than the archive, is not found', async () => {
    const activityId = `${world.youngId.slice(0, -4)}ffff`;
    const answer = await world.service.query('get_activity', { activityId });
    assert.equal(answer.status, 404);
    assert.doesNotMatch(answer.body.message, /archive/);
  });

  test('the list ends with where the rest went, not before its end, and not where it asks for what waits', async () => {
    const { body } = await world.service.query('list_activities', {});
    assert.deepEqual(
      body.activities.map(({ id }: { id: string }) => id),
      [world.youngId, world.waitingId],
    );
    const told = body.archivedSegments;
    assert.equal(
      told.reduce(
        (sum: number, each: { activityCount: string }) => sum + Number(each.activityCount),
        0,
      ),
      rows.filter(({ organizationId }) => organizationId === world.service.root.organizationId)
        .length - 2,
    );
    const page = { paginationOptions: { limit: '1' } };
    assert.equal(
      (await world.service.query('list_activities', page)).body.archivedSegments,
      undefined,
    );
    const waiting = { filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] };
    assert.equal(
      (await world.service.query('list_activities', waiting)).body.archivedSegments,
      undefined,
    );
  });

  test('the body of an archived activity is not carried out again: it is too old', async () => {
    const { codec } = keys;
    for (const row of rows.filter(({ id }) => id !== world.waitingId && id !== world.youngId)) {
      const [vote] = codec.openActivity(row.organizationId, row).votes;
      assert(vote !== undefined);
      const body = new TextEncoder().encode(vote.message);
      const stamp = { publicKey: vote.publicKey, scheme: vote.scheme, signature: vote.signature };
      const value = Buffer.from(JSON.stringify(stamp)).toString('base64url');
      const before = (await world.all()).length;
      const operation = row.type.includes('SUB_ORG')
        ? 'create_sub_organization'
        : operationOf(row.type);
      const answer = await world.service.send('submit', operation, body, [
        { name: 'x-stamp', value },
      ]);
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.message, /timestamp/i);
      assert.equal((await world.all()).length, before);
    }
  });
});

const operationOf = (type: string): string =>
  type
    .replace('ACTIVITY_TYPE_', '')
    .replace(/_V\d+$/, '')
    .toLowerCase();

describe('segments that were tampered with', () => {
  let world: World;
  let whole: ReadonlyMap<string, Buffer>;
  const path = (name: string) => join(world.folder.path, name);
  const restore = (): void => {
    for (const name of world.files()) rmSync(path(name));
    for (const [name, bytes] of whole) writeFileSync(path(name), bytes);
  };
  before(async () => {
    world = await startWorld(openSqliteStore({ file: ':memory:' }));
    await world.archive();
    whole = new Map(world.files().map((name) => [name, readFileSync(path(name))]));
  });
  after(() => world.close());
  const refused = (name: string) => new RegExp(`archive segment ${name}.* is refused`);

  test('each byte of one', async () => {
    const [name = '', bytes = Buffer.alloc(0)] = [...whole][0] ?? [];
    for (let i = 0; i < bytes.length; i += 1) {
      // Verifying a signature takes longest. Of the rows, whose digest it covers, every seventh byte is
      // altered.
      if (i > 1_200 && i % 7 !== 0) continue;
      const altered = Buffer.from(bytes);
      altered[i] = (altered[i] ?? 0) ^ (1 << (i % 8));
      writeFileSync(path(name), altered);
      await assert.rejects(
        world.verify({ publicKey: keys.publicKey }),
        refused('000001'),
        `byte ${i}`,
      );
    }
    restore();
  });

  const attacks: Readonly<Record<string, readonly [() => void, RegExp]>> = {
    'one that is cut': [
      () =>
        writeFileSync(
          path('000001.segment'),
          (whole.get('000001.segment') ?? Buffer.alloc(0)).subarray(0, -1),
        ),
      refused('000001'),
    ],
    'one that is longer': [
      () =>
        writeFileSync(
          path('000001.segment'),
          Buffer.concat([whole.get('000001.segment') ?? Buffer.alloc(0), Buffer.of(0)]),
        ),
      refused('000001'),
    ],
    'one with the other signature that verifies': [
      () => {
        const bytes = Buffer.from(whole.get('000001.segment') ?? Buffer.alloc(0));
        const at = bytes.indexOf('\n') + 1 + 64;
        const s = Uint8Array.fromHex(bytes.toString('latin1', at, at + 64));
        bytes.write(negateScalar(s, orders.p256).toHex(), at, 'latin1');
        writeFileSync(path('000001.segment'), bytes);
      },
      refused('000001'),
    ],
    'one that is empty': [() => writeFileSync(path('000001.segment'), ''), refused('000001')],
    'one that is missing': [() => rmSync(path('000001.segment')), refused('000001')],
    'the last one that is missing': [
      () => rmSync(path(world.files().at(-1) ?? '')),
      /archive segment 0.* is refused: it is missing, the last one that the database recorded/,
    ],
    'all that are missing but the first': [
      () => {
        for (const name of world.files().slice(1)) rmSync(path(name));
      },
      refused('000002'),
    ],
    'an empty folder': [
      () => {
        for (const name of world.files()) rmSync(path(name));
      },
      refused('000001'),
    ],
    'the last one that is cut': [
      () => {
        const name = world.files().at(-1) ?? '';
        writeFileSync(path(name), (whole.get(name) ?? Buffer.alloc(0)).subarray(0, -1));
      },
      /archive segment 0.* is refused: it has \d+ bytes/,
    ],
    'two that changed places': [
      () => {
        renameSync(path('000001.segment'), path('x'));
        renameSync(path('000002.segment'), path('000001.segment'));
        renameSync(path('x'), path('000002.segment'));
      },
      refused('000001'),
    ],
    'one twice': [
      () => writeFileSync(path('000002.segment'), whole.get('000001.segment') ?? ''),
      refused('000002'),
    ],
  };
  for (const [name, [attack, expected]] of Object.entries(attacks)) {
    test(name, async () => {
      attack();
      await assert.rejects(world.verify({ publicKey: keys.publicKey }), expected);
      await assert.rejects(world.import(), expected);
      await assert.rejects(world.archive(), expected);
      restore();
      assert.equal((await world.verify()).length, whole.size);
    });
  }

  test('one of another service', async () => {
    await assert.rejects(world.verify(keysOfAnother), refused('000001'));
  });

  test('one of an earlier archive with the same number', async () => {
    const other = await startWorld(openSqliteStore({ file: ':memory:' }));
    await other.archive({ organizationId: other.child.organizationId });
    writeFileSync(path('000001.segment'), readFileSync(join(other.folder.path, '000001.segment')));
    await assert.rejects(world.verify(), refused('000002'));
    restore();
    await other.close();
  });

  test('a signed segment whose rows were swapped between organizations', async () => {
    const segments = await world.verify();
    const activities = segments.flatMap((segment) => segment.activities);
    const ids = [...new Set(activities.map(({ organizationId }) => organizationId))];
    const swapped = activities.map((row) => ({
      ...row,
      organizationId: ids.find((id) => id !== row.organizationId) ?? '',
    }));
    for (const name of world.files()) rmSync(path(name));
    const about = { number: 1, previous: '', madeAtMs: 1 };
    writeFileSync(
      path('000001.segment'),
      encodeSegment({ activities: swapped, voters: [] }, about, keys.sign),
    );
    await assert.rejects(world.verify(), /its row .* differs from the sealed one/);
    restore();
  });
});

describe('the folder of an archive', () => {
  const opened = (run: (path: string) => void): void => {
    const folder = temporaryDirectory();
    try {
      run(folder.path);
    } finally {
      folder.remove();
    }
  };

  test('files of others stay, and what a killed command left is deleted', () =>
    opened((path) => {
      const [left, ...kept] = [
        '000001.moving.0123456789abcdef.tmp',
        'notes.tmp',
        '000001.segment.0123456789abcdef.tmp',
        'a000001.moving.0123456789abcdef.tmp',
      ];
      for (const name of [left, ...kept]) writeFileSync(join(path, name ?? ''), '');
      openArchiveDirectory(path).close();
      const found = readdirSync(path).filter((name) => name !== 'owner.lock');
      assert.deepEqual(found.sort(), kept.sort());
    }));

  test('a file that is longer than any segment is refused before it is read', () =>
    opened((path) => {
      const directory = openArchiveDirectory(path);
      // A sparse file: larger than any buffer, but without blocks on the disk.
      writeFileSync(join(path, '000001.segment'), '');
      truncateSync(join(path, '000001.segment'), 2 ** 40);
      assert.throws(() => [...segmentsOf(directory, keys)], /000001.segment is refused: it has no/);
      const manifest = encodeSegment(
        { activities: [], voters: [] },
        { number: 1, previous: '', madeAtMs: 1 },
        keys.sign,
      );
      writeFileSync(join(path, '000001.segment'), manifest);
      assert.equal([...segmentsOf(directory, keys)].length, 1);
      truncateSync(join(path, '000001.segment'), 2 ** 40);
      assert.throws(() => [...segmentsOf(directory, keys)], /is refused: it has \d+ bytes of rows/);
      directory.close();
    }));

  test('a file that is no plain file is refused', () =>
    opened((path) => {
      const directory = openArchiveDirectory(path);
      execFileSync('mkfifo', [join(path, '000001.segment')]);
      assert.throws(() => [...segmentsOf(directory, keys)], /is refused: it is not a regular file/);
      rmSync(join(path, '000001.segment'));
      mkdirSync(join(path, '000001.segment'));
      assert.throws(() => [...segmentsOf(directory, keys)], /is refused: it is not a regular file/);
      directory.close();
    }));
});

describe('the end of the archive', () => {
  const path = (world: World, name: string) => join(world.folder.path, name);
  const withWorld = async (run: (world: World) => Promise<void>): Promise<void> => {
    const world = await startWorld(openSqliteStore({ file: ':memory:' }));
    try {
      await run(world);
    } finally {
      await world.close();
    }
  };
  const filesOf = (world: World): ReadonlyMap<string, Buffer> =>
    new Map(world.files().map((name) => [name, readFileSync(path(world, name))]));
  const replaceBy = (world: World, files: ReadonlyMap<string, Buffer>): void => {
    for (const name of world.files()) rmSync(path(world, name));
    for (const [name, bytes] of files) writeFileSync(path(world, name), bytes);
  };

  test('an older set of the same folder is refused, by verify, import and archive', () =>
    withWorld(async (world) => {
      await world.archive({ organizationId: world.child.organizationId });
      const older = filesOf(world);
      await world.archive();
      const newer = filesOf(world);
      assert.ok(newer.size > older.size);
      replaceBy(world, older);
      for (const use of [world.verify, world.import, world.archive]) {
        await assert.rejects(use(), /is missing, the last one that the database recorded is/);
      }
      replaceBy(world, newer);
      assert.equal((await world.verify()).length, newer.size);
    }));

  test('another chain of the same service is refused', () =>
    withWorld(async (world) => {
      await withWorld(async (other) => {
        await other.archive({ organizationId: other.child.organizationId });
        await other.archive();
        await world.archive();
        const own = filesOf(world);
        replaceBy(world, filesOf(other));
        assert.ok(world.files().length >= own.size);
        for (const use of [world.verify, world.import, world.archive]) {
          await assert.rejects(use(), /it differs from the one that the database recorded/);
        }
      });
    }));

  test('a loss that the operator accepts is gone on from, also where all is lost', () =>
    withWorld(async (world) => {
      const { activities, segments } = await world.archive();
      const last = world.files().at(-1) ?? '';
      rmSync(path(world, last));
      const { restored } = await world.import({ acceptsLoss: true });
      assert.ok(restored > 0 && restored < activities);
      // The database still requires the lost file.
      await assert.rejects(
        world.archive(),
        /is missing, the last one that the database recorded is/,
      );
      assert.equal((await world.archive({ acceptsLoss: true })).activities, restored);
      assert.ok((await world.verify()).length >= segments);
      for (const name of world.files()) rmSync(path(world, name));
      await world.archive({ acceptsLoss: true });
      await assert.rejects(world.verify(), refusedAsMissing);
    }));

  test('a file that is called moving again does not move the end back', () =>
    withWorld(async (world) => {
      await world.archive();
      const names = world.files();
      const last = names.at(-1) ?? '';
      renameSync(path(world, '000001.segment'), path(world, '000001.moving'));
      writeFileSync(path(world, last), '');
      await assert.rejects(world.archive(), /is refused: it has no manifest/);
      for (const name of names.slice(1)) rmSync(path(world, name));
      for (const use of [world.verify, world.import, world.archive]) {
        await assert.rejects(use(), refusedAsMissing);
      }
    }));

  test('a folder that changes between check and import is refused', () =>
    withWorld(async (world) => {
      await world.archive({ organizationId: world.child.organizationId });
      const older = filesOf(world);
      await world.archive();
      const before = await world.all();
      const refused = world.run((tools) => {
        let looks = 0;
        const files: typeof tools.directory.files = () => {
          looks += 1;
          if (looks > 1) replaceBy(world, older);
          return tools.directory.files();
        };
        return importSegments({ ...tools, directory: { ...tools.directory, files } });
      });
      await assert.rejects(refused, /is refused: the folder was changed meanwhile/);
      assert.ok((await world.all()).length > before.length);
    }));

  test('a folder that is longer than the database remembers is taken as it is', () =>
    withWorld(async (world) => {
      await world.archive({ organizationId: world.child.organizationId });
      const older = filesOf(world);
      // Killed before the end was written to the database. A restore of an older database has the same
      // result.
      await assert.rejects(world.archiveUntil('end', 1), /killed/);
      assert.ok(world.files().length > older.size);
      await world.verify();
      await world.archive();
      replaceBy(world, older);
      await assert.rejects(world.verify(), refusedAsMissing);
    }));

  test('of two commands that archive into different folders one is refused before it deletes', () =>
    withWorld(async (world) => {
      const before = await world.all();
      const folder = temporaryDirectory();
      try {
        const slower = world.run((tools) => {
          const move: ArchiveEnds['move'] = async (from, to) => {
            await world.archive();
            return tools.ends.move(from, to);
          };
          return archiveActivities(world.cutOff, { ...tools, ends: { ...tools.ends, move } });
        }, folder.path);
        await assert.rejects(slower, /another command archives this database/);
        await world.import();
        assert.deepEqual(await world.all(), before);
      } finally {
        folder.remove();
      }
    }));
});

const refusedAsMissing = /is missing, the last one that the database recorded is/;
