// The log of an enclave on a store that can be rolled back, and its checkpoints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { readEntry } from '../../../src/core/log/entry.ts';
import { leafHash } from '../../../src/core/log/inclusion.ts';
import { readCheckpoint, readNote } from '../../../src/core/log/note.ts';
import { entriesOf } from '../../../src/core/log/tiles.ts';
import { emptyFrontier, type Frontier, rootOf, withLeaf } from '../../../src/core/log/tree.ts';
import { RecordRefusedError } from '../../../src/enclave/records/record_codec.ts';
import type { StorePort } from '../../../src/store/port.ts';
import { startTestService, type TestService } from '../../support/harness.ts';

async function appendAll(service: TestService): Promise<string> {
  const waiting = await service.store.log.next({ limit: 512 });
  const { isLost, note } = await service.enclave.appendLog({ waiting: [...waiting] });
  assert.equal(isLost, false);
  await service.store.log.done(waiting);
  return note;
}

function checkpointOf(text: string) {
  const note = readNote(text);
  assert.ok(note);
  return readCheckpoint(note.text) ?? assert.fail('a note holds a checkpoint');
}

const rename = (service: TestService, organizationName: string) =>
  service.submit('update_organization_name', 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', {
    organizationName,
  });

test('each run, activity and batch end is one entry, and the checkpoint has the root of all', async () => {
  const service = await startTestService();
  try {
    for (let batch = 0; batch < 3; batch += 1) {
      for (let i = 0; i < 100; i += 1) await rename(service, `Name ${batch} ${i}`);
      const { size, root } = checkpointOf(await appendAll(service));
      assert.equal(size, 1 + 101 * (batch + 1));
      assert.deepEqual(root, rootOf(sha256, await treeOf(service, size)));
    }
    assert.deepEqual(await service.store.log.next({ limit: 1 }), []);
  } finally {
    await service.close();
  }
});

const small = { names: ['One', 'Two', 'Three'] };

/** Starts a service whose log has an entry for each name. */
async function grown(
  names: readonly string[],
  options: Parameters<typeof startTestService>[0] = {},
) {
  const service = await startTestService(options);
  let note = '';
  for (const name of names) {
    await rename(service, name);
    note = await appendAll(service);
  }
  return { service, note };
}

test('a database that is older than the anchor is refused, with the missing entries', async () => {
  const older = await grown(small.names);
  const from = older.service.snapshot();
  await rename(older.service, 'Four');
  const note = await appendAll(older.service);
  await older.service.close();
  const log: string[] = [];
  const again = await startTestService({ from, logAnchor: async () => note, log });
  try {
    await assert.rejects(
      async () => again.enclave.logCheckpoint(undefined),
      (error: unknown) => {
        assert.ok(error instanceof ServiceError && error.code === 'log_older_than_anchor');
        const sentence = /has 7 entries, up to 2026-01-01T.*knows 9, so 2 are missing/;
        assert.match(error.message, sentence);
        return true;
      },
    );
    const { state, reason } = await again.enclave.copyStatus(undefined);
    assert.equal(state, 'refused');
    assert.match(reason ?? '', /older than the log anchor/);
    const waiting = await again.store.log.next({ limit: 10 });
    await assert.rejects(
      async () => again.enclave.appendLog({ waiting: [...waiting] }),
      ServiceError,
    );
  } finally {
    await again.close();
  }
});

test('a database at or after the checkpoint of the same log starts', async () => {
  const { service, note } = await grown(small.names);
  await rename(service, 'Four');
  const newest = await appendAll(service);
  const from = service.snapshot();
  await service.close();
  for (const remembered of [note, newest, undefined]) {
    const again = await startTestService({ from, logAnchor: async () => remembered });
    assert.equal((await again.enclave.logCheckpoint(undefined)).note, newest);
    await rename(again, 'Five');
    // The entries of the new run, of the activity and of the map.
    assert.equal(checkpointOf(await appendAll(again)).size, 12);
    await again.close();
  }
});

test('a log with entries other than those of the anchor is refused, and so is a foreign anchor', async () => {
  const { service, note } = await grown(small.names);
  await service.close();
  // The same service, but its users requested something else.
  const other = await grown(['One', 'Two', 'Another', 'Four']);
  const from = other.service.snapshot();
  await other.service.close();
  const foreign = other.note.replace(/^keywright.*$/m, 'keywright/someone else');
  const refusals = { log_differs_from_anchor: note, log_anchor_unreadable: foreign };
  for (const [code, remembered] of Object.entries(refusals)) {
    const again = await startTestService({ from, logAnchor: async () => remembered });
    const isRefusal = (error: unknown) => error instanceof ServiceError && error.code === code;
    await assert.rejects(async () => again.enclave.logCheckpoint(undefined), isRefusal, code);
    await again.close();
  }
});

test('an activity that waits twice, or in an older version, is one entry', async () => {
  const { service } = await grown(small.names);
  try {
    await rename(service, 'Four');
    const waiting = await service.store.log.next({ limit: 10 });
    const twice = [...waiting, ...waiting];
    const first = await service.enclave.appendLog({ waiting: twice });
    // The gateway was killed before it removed the row.
    const second = await service.enclave.appendLog({ waiting: [...waiting] });
    assert.equal(checkpointOf(first.note).size, 9);
    assert.equal(second.note, first.note);
    // Its enclave was killed too.
    const again = await startTestService({ from: service.snapshot() });
    await rename(again, 'Five');
    const all = await again.store.log.next({ limit: 10 });
    assert.equal(all.length, 2);
    assert.equal(checkpointOf(await appendAll(again)).size, 12);
    await again.close();
  } finally {
    await service.close();
  }
});

test('activities sealed by this enclave are appended without reading their rows', async () => {
  let reads = 0;
  const service = await startTestService({
    wrapStore: (port) => ({
      ...port,
      activity: (request) => {
        reads += 1;
        return port.activity(request);
      },
      activityPage: (request) => {
        reads += 1;
        return port.activityPage(request);
      },
    }),
  });
  try {
    await rename(service, 'Read, since nothing was appended yet');
    await appendAll(service);
    assert.equal(reads, 1);
    for (const name of small.names) await rename(service, name);
    const waiting = await service.store.log.next({ limit: 10 });
    const from = service.snapshot();
    const before = reads;
    await appendAll(service);
    assert.equal(reads, before);
    // An enclave that has just started reads the rows, and commits to the same records.
    const again = await startTestService({ from });
    await appendAll(again);
    const records = await Promise.all([service, again].map(recordsOf));
    assert.equal(records[0]?.length, 1 + waiting.length);
    assert.deepEqual(records[0], records[1]);
    await again.close();
  } finally {
    await service.close();
  }
});

/** Returns the organization's entries without the members that depend on earlier entries. */
async function recordsOf(service: TestService): Promise<readonly unknown[]> {
  const { status, body } = await service.query('list_log_entries', {});
  assert.equal(status, 200, JSON.stringify(body));
  return body.entries.map(({ entry }: { entry: string }) => {
    const { previous: _, ...content } = readEntry(entry) ?? assert.fail('an entry of an activity');
    return content;
  });
}

test('readers of the log keep neither the log nor an organization waiting', async () => {
  const { service } = await grown(small.names);
  try {
    const { body } = await service.query('list_activities');
    const { id } = body.activities.at(-1);
    await rename(service, 'Four');
    const waiting = await service.store.log.next({ limit: 512 });
    const ended: string[] = [];
    const note = <Answer>(name: string, answer: Promise<Answer>) =>
      answer.then((value) => {
        ended.push(name);
        return value;
      });
    const readers = Array.from({ length: 300 }, () =>
      note('reader', Promise.resolve(service.enclave.logTile({ path: 'tile/0/000.p/5' }))),
    );
    const receipt = note('receipt', service.query('get_receipt', { activityId: id }));
    const append = note(
      'append',
      Promise.resolve(service.enclave.appendLog({ waiting: [...waiting] })),
    );
    const [{ isLost }, { status }] = await Promise.all([append, receipt, ...readers]);
    assert.deepEqual([isLost, status], [false, 200]);
    for (const name of ['append', 'receipt']) {
      assert.ok(ended.indexOf(name) < 200, `${name} ended as number ${ended.indexOf(name)}`);
    }
  } finally {
    await service.close();
  }
});

test('a restored older head or tile is refused by an enclave that saw a newer one', async () => {
  const { service } = await grown([]);
  const { port } = service.store;
  const rows = { organization: port.organization, records: port.records };
  let replay: 'head' | 'tile' | undefined;
  let head: Awaited<ReturnType<StorePort['organization']>> | undefined;
  const tiles = new Map<string, Awaited<ReturnType<StorePort['records']>>>();
  const store = {
    ...service.store,
    port: {
      ...port,
      organization: async (request: Parameters<StorePort['organization']>[0]) => {
        const answer = await rows.organization(request);
        if (request.organizationId !== 'log') return answer;
        if (replay === 'head') return head ?? answer;
        const whole = await rows.organization({ ...request, knownVersion: 0 });
        if (whole.organization !== undefined) head ??= whole;
        return answer;
      },
      records: async (request: Parameters<StorePort['records']>[0]) => {
        const answer = await rows.records(request);
        if (request.kind !== 'log_tile') return answer;
        const name = request.ids.join();
        if (replay === 'tile') return tiles.get(name) ?? answer;
        if (!tiles.has(name)) tiles.set(name, answer);
        return answer;
      },
    },
  };
  const hostile = await grown(small.names, { store });
  try {
    for (const each of ['head', 'tile'] as const) {
      await rename(hostile.service, `With an old ${each}`);
      replay = each;
      const waiting = await hostile.service.store.log.next({ limit: 10 });
      await assert.rejects(
        async () => hostile.service.enclave.appendLog({ waiting: [...waiting] }),
        RecordRefusedError,
        each,
      );
      replay = undefined;
      await appendAll(hostile.service);
    }
  } finally {
    await hostile.service.close();
  }
});

async function treeOf({ enclave }: TestService, size: number): Promise<Frontier> {
  let frontier = emptyFrontier;
  for (let index = 0; index * 256 < size; index += 1) {
    const width = Math.min(256, size - index * 256);
    const path = `tile/entries/${String(index).padStart(3, '0')}${width === 256 ? '' : `.p/${width}`}`;
    const { body } = await enclave.logTile({ path });
    assert.ok(body, path);
    for (const entry of entriesOf(body) ?? []) {
      frontier = withLeaf(sha256, frontier, leafHash(sha256, entry)).frontier;
    }
  }
  return frontier;
}
