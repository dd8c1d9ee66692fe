// Audits of a chain find removed and reordered entries, activities, tiles and rows. SOAK=true tries a
// thousand of each.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  type AuditedChain,
  auditChain,
  auditLog,
  compareActivities,
  type ShownActivity,
  type ShownEnd,
  type ShownEntry,
} from '../../src/receipts/audit.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite.ts';
import { casesOf } from '../support/bounds.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { createChoice } from '../tamper/choice.ts';

const attempts = casesOf({ usual: 60, soak: 1_000 });
const rows = casesOf({ usual: 12, soak: 300 });
const batches = 12;
const ofBatch = 6;
/** Entries of the log: the boot statement of the run, and one entry at the end of each batch. */
const logSize = 1 + batches * (ofBatch + 1);
const choice = createChoice('audit');

type Shown = {
  readonly organizationId: string;
  readonly policy: string;
  readonly entries: readonly ShownEntry[];
  readonly end: ShownEnd;
  readonly activities: readonly ShownActivity[];
  readonly tile: (path: string) => Promise<Uint8Array>;
};

let shown: Shown;
let from: ReturnType<TestService['snapshot']>;

before(async () => {
  const service = await startTestService();
  for (let batch = 0; batch < batches; batch += 1) {
    for (let i = 0; i < ofBatch; i += 1) {
      const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
      const organizationName = `Name ${batch} ${i}`;
      await service.submit('update_organization_name', type, { organizationName });
      service.advance(10);
    }
    const waiting = await service.store.log.next({ limit: 512 });
    await service.enclave.appendLog({ waiting: [...waiting] });
    await service.store.log.done(waiting);
  }
  shown = await show(service);
  from = service.snapshot();
  await service.close();
});

async function show(service: TestService): Promise<Shown> {
  const tiles = new Map<string, Uint8Array>();
  const { enclave, root } = service;
  const { key } = await enclave.logCheckpoint(undefined);
  const { status, body } = await service.query('list_log_entries');
  assert.equal(status, 200, JSON.stringify(body));
  const { entries, end } = body;
  assert.ok(end);
  const limit = String(batches * ofBatch);
  const listed = await service.query('list_activities', { paginationOptions: { limit } });
  for (let width = 1; width <= 256; width += 1) {
    const path = `tile/entries/000.p/${width}`;
    const { body: tile } = await enclave.logTile({ path });
    if (tile !== undefined) tiles.set(path, tile);
  }
  return {
    organizationId: root.organizationId,
    policy: `log ${key}\nquorum none\n`,
    entries,
    end,
    activities: listed.body.activities,
    tile: async (path) => tiles.get(path) ?? assert.fail(`${path} is no tile`),
  };
}

async function readTile({ enclave }: TestService): Promise<Uint8Array | undefined> {
  return (await enclave.logTile({ path: `tile/entries/000.p/${logSize}` })).body;
}

async function audit({ organizationId, policy, entries, end, activities, tile }: Shown) {
  const chain: AuditedChain = auditChain(organizationId, entries, end, policy);
  await auditLog(chain, tile);
  return { chain, ...compareActivities(chain.entries, activities) };
}

/** Returns the reason why an audit fails; undefined if it finds no fault. */
async function reasonOf(given: Shown): Promise<string | undefined> {
  try {
    const { findings } = await audit(given);
    return findings.length === 0 ? undefined : findings.join();
  } catch (error) {
    assert.ok(error instanceof Error && error.constructor === Error, String(error));
    return error.message;
  }
}

test('a chain is complete, at its places in the log, and has the activities of the service', async () => {
  const { chain, findings, withoutEntry } = await audit(shown);
  assert.equal(chain.entries.length, batches * ofBatch);
  assert.equal(chain.size, logSize);
  assert.deepEqual([findings, withoutEntry], [[], 0]);
});

/** Removals, reorderings and changes; each returns the altered chain that the service shows. */
const changes: Readonly<Record<string, (shown: Shown) => Shown>> = {
  'an entry less': ({ entries, ...rest }) => ({
    ...rest,
    entries: entries.toSpliced(choice.index(entries.length), 1),
  }),
  'the last entries less': ({ entries, ...rest }) => ({
    ...rest,
    entries: entries.slice(0, choice.index(entries.length)),
  }),
  'two entries in each other’s place': ({ entries, ...rest }) => {
    const [a, b] = choice.two(entries) ?? assert.fail();
    const swapped = entries.map((each) => (each === a ? b : each === b ? a : each));
    return { ...rest, entries: swapped };
  },
  'an entry twice': ({ entries, ...rest }) => {
    const at = choice.index(entries.length);
    return { ...rest, entries: entries.toSpliced(at, 0, entries[at] ?? assert.fail()) };
  },
  'an entry at another place': ({ entries, ...rest }) => {
    const at = choice.index(entries.length);
    const moved = entries.map((each, i) => (i === at ? { ...each, index: each.index + 1 } : each));
    return { ...rest, entries: moved };
  },
  'an activity less': ({ activities, ...rest }) => ({
    ...rest,
    activities: activities.toSpliced(choice.index(activities.length), 1),
  }),
  'an activity with another status': ({ activities, ...rest }) => {
    const at = choice.index(activities.length);
    const status = 'ACTIVITY_STATUS_FAILED';
    return {
      ...rest,
      activities: activities.map((each, i) => (i === at ? { ...each, status } : each)),
    };
  },
  'a tile with other bytes': ({ tile, ...rest }) => ({
    ...rest,
    tile: async (path) => {
      const bytes = (await tile(path)).slice();
      const at = choice.index(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 + choice.index(255));
      return bytes;
    },
  }),
  'a state with fewer entries': ({ end, ...rest }) => {
    const fewer = `entries ${choice.index(batches * ofBatch)}\n`;
    return { ...rest, end: { ...end, mapState: end.mapState.replace(/entries \d+\n/, fewer) } };
  },
  'a page of the map with other bytes': ({ end, ...rest }) => {
    const at = choice.index(end.pages.length);
    const page = Uint8Array.fromBase64(end.pages[at] ?? '');
    const byte = choice.index(page.length);
    page[byte] = (page[byte] ?? 0) ^ (1 + choice.index(255));
    return { ...rest, end: { ...end, pages: end.pages.with(at, page.toBase64()) } };
  },
};

test(`${attempts} removals and reorderings of what is shown are found`, async () => {
  const names = Object.keys(changes);
  for (let i = 0; i < attempts; i += 1) {
    const name = names[i % names.length] ?? '';
    const changed = changes[name]?.(shown);
    assert.ok(changed);
    assert.notEqual(await reasonOf(changed), undefined, `attempt ${i}: ${name}`);
  }
});

test('a service cannot explain a withheld activity by an archive that it could not have written yet', async () => {
  const { chain } = await audit(shown);
  const [first = assert.fail(), ...others] = shown.activities.toReversed();
  const { atMs } = chain.entries[0] ?? assert.fail();
  const compared = (decidedBefore: number) =>
    compareActivities(chain.entries, others, { lastActivityId: '~', decidedBefore });
  // The count shows what rests on the word of the service.
  assert.deepEqual(compared(atMs + 1), { findings: [], withoutEntry: 0, archived: 1 });
  const { findings, archived } = compared(atMs);
  assert.deepEqual(findings, [`activity ${first.id} of entry 1 is withheld`]);
  assert.equal(archived, 0);
});

test(`${rows} rows that are removed from the database are found by an audit of what it serves`, async () => {
  const counts = { refused: 0, found: 0 };
  for (let i = 0; i < rows; i += 1) {
    const database = openDatabase({ file: ':memory:' });
    database.deserialize(from.database);
    const where = [
      "FROM records WHERE kind = 'log_openings'",
      'FROM activities',
      "FROM records WHERE kind = 'log_openings'",
      "FROM records WHERE kind IN ('log_tile', 'log_map')",
    ][i % 4];
    const ids = database.prepare(`SELECT id ${where}`).all();
    const { id } = choice.of(ids);
    database
      .prepare(
        `DELETE ${where?.replace('WHERE', 'WHERE id = ? AND') ?? ''}${
          where?.includes('WHERE') ? '' : ' WHERE id = ?'
        }`,
      )
      .run(String(id));
    const service = await startTestService({ from: { ...from, database: database.serialize() } });
    database.close();
    try {
      const probed = await service.query('list_log_entries');
      const tile = await readTile(service).catch(() => undefined);
      // The service refuses an organization whose newest rows are missing.
      if (probed.status !== 200 || tile === undefined) {
        counts.refused += 1;
        continue;
      }
      counts.found += 1;
      assert.notEqual(await reasonOf(await show(service)), undefined, `${where} ${String(id)}`);
    } finally {
      await service.close();
    }
  }
  assert.ok(counts.refused > 0 && counts.found > 0, JSON.stringify(counts));
});
