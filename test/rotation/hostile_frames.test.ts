// Messages of a rotation from a gateway that an attacker owns: reordered, repeated, cut and exchanged.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newPrivateKey } from '../../src/core/crypto/key_agreement.ts';
import { sharingPartOf, splitRootKey } from '../../src/core/custody/key_shares.ts';
import { readUnsealStatement, sealShare } from '../../src/core/custody/unsealing.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import { readKeyEpoch } from '../../src/enclave/records/key_epochs.ts';
import type { EnclaveMessages, RequestOf } from '../../src/ipc/messages.ts';
import type { Link } from '../../src/ipc/rpc.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { sealedTables } from '../../src/store/tables/sealed_columns.ts';
import { sealedPagesOf } from '../../src/store/tables/sealed_pages.ts';
import { addChild } from '../operations/other_callers.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { seededRandom, startTestService, testRootKey } from '../support/harness.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';

const directory = temporaryDirectory();
after(() => directory.remove());
let files = 0;

type SealedRows = RequestOf<EnclaveMessages['resealRows']>;
type Row = SealedRows['rows'][number] & { readonly table: string };

const hasVersion = new Set(['organizations', 'records', 'activities']);

const nextKey = () => new Uint8Array(32).fill(9);

/** Starts a service with rows of two organizations. Returns it with its rows and the calls of its link. */
async function startWithRows(givesNextKey = true) {
  const service = await startTestService({
    databaseFile: join(directory.path, `frames-${++files}.sqlite`),
    givesNextKey,
  });
  const child = await addChild(service);
  const named = (walletName: string) => ({ walletName, accounts: [] });
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  for (const as of [{}, child]) {
    const { status } = await service.submit('create_wallet', type, named('wallet'), as);
    assert.equal(status, 200);
  }
  const handlers: Readonly<Record<string, unknown>> = service.enclave;
  const call = (async (name: string, request: unknown) => {
    const handle = handlers[name];
    assert.ok(typeof handle === 'function');
    return handle(request);
  }) as Link<EnclaveMessages>['call'];
  const rename = (walletName: string, as = {}) =>
    service.submit('create_wallet', type, named(walletName), as);
  return { service, child, call, rename };
}

async function rowsOf({ service }: Awaited<ReturnType<typeof startWithRows>>): Promise<Row[]> {
  assert.ok(service.store.rotation !== undefined);
  const rewriter = await service.store.rotation.rewriter();
  const rows: Row[] = [];
  for (const sealed of sealedTables) {
    for await (const page of sealedPagesOf(rewriter.sealedPage, sealed)) {
      rows.push(...page.rows.map((row) => ({ ...row, table: sealed.table.name })));
    }
  }
  return rows;
}

/** Returns a message for each table, because a message has rows of only one table. */
function messagesOf(rows: readonly Row[]): readonly SealedRows[] {
  return [...Map.groupBy(rows, ({ table }) => table)].map(([table, ofTable]) => ({
    table,
    rows: ofTable,
  }));
}

test('a rotation opens no row that was cut, exchanged or renamed, and no message ends the enclave', async () => {
  const world = await startWithRows();
  const { service, child, call, rename } = world;
  const rows = await rowsOf(world);
  await call('giveNextKey', { rootKey: nextKey() });
  await call('advanceKeyEpoch', { webhookEpochs: [1] });
  const { isRotating } = await call('keyEpoch', undefined);
  assert.equal(isRotating, true);
  const answers = async (changed: Row, name: 'resealRows' | 'checkRows') => {
    try {
      const answer: object = await call(name, { table: changed.table, rows: [changed] });
      return 'bodies' in answer ? (answer.bodies as Uint8Array[])[0]?.length : 'opened';
    } catch {
      return 'refused';
    }
  };
  const { organizationId } = service.root;
  for (const row of rows) {
    const { body } = row;
    if (body.length === 0) continue;
    const flipped = (at: number) => body.map((byte, i) => (i === at ? byte ^ 1 : byte));
    const other = rows.find((each) => each.table === row.table && each.id !== row.id);
    const elsewhere = row.organizationId === organizationId ? child.organizationId : organizationId;
    const changes: Row[] = [
      ...[1, 4, 5, 9, 12, body.length - 1].map((length) => ({
        ...row,
        body: body.slice(0, length),
      })),
      ...[0, 1, 4, 8, 9, body.length - 1].map((at) => ({ ...row, body: flipped(at) })),
      { ...row, body: Uint8Array.from([...body, 0]) },
      // The deployment has one place, and events have no version.
      ...(hasVersion.has(row.table) ? [{ ...row, version: row.version + 1 }] : []),
      { ...row, kind: `${row.kind}x`, table: 'records' },
      ...(other === undefined ? [] : [{ ...row, body: other.body }]),
      ...(row.table === 'records' ? [{ ...row, organizationId: elsewhere }] : []),
    ];
    for (const changed of changes) {
      for (const name of ['resealRows', 'checkRows'] as const) {
        const answer = await answers(changed, name);
        // An empty body states that the row needs no change: its header names the newest epoch.
        assert.ok(answer === 'refused' || answer === 0, `${name} ${row.table}: ${answer}`);
      }
    }
  }
  assert.equal((await rename('after')).status, 200);
  await service.close();
});

test('a gateway that reads no key after the start opens no row by a next key of its own', async () => {
  const world = await startWithRows(false);
  const { service, call, rename } = world;
  const rows = await rowsOf(world);
  await assert.rejects(call('giveNextKey', { rootKey: nextKey() }), /could not read/);
  assert.deepEqual(await call('advanceKeyEpoch', { webhookEpochs: [1] }), { isAdvanced: false });
  for (const sent of messagesOf(rows)) {
    const { bodies } = await call('resealRows', sent);
    assert.ok(bodies.every((body) => body.length === 0));
  }
  assert.equal(await readKeyEpoch(service.store.port), undefined);
  assert.equal((await call('keyEpoch', undefined)).nextKey, undefined);
  assert.equal((await rename('after')).status, 200);
  await service.close();
});

test('a gateway gives no next key to an enclave that collected its key from shares', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const random = seededRandom('shares');
  const enclave = createEnclave({
    store: store.port,
    external: createTestOutside(),
    clock: Date.now,
    random,
    log: () => undefined,
  });
  const shares = await splitRootKey(testRootKey(), { threshold: 2, count: 2 });
  const sharing = sharingPartOf(shares[0] ?? assert.fail());
  const { statement, signature } = await enclave.expectShares({ sharing });
  const read = readUnsealStatement(statement, signature) ?? assert.fail();
  for (const share of shares) {
    const sealed = sealShare(share, { text: statement, read }, newPrivateKey(random));
    const { refused } = await enclave.giveShare(sealed);
    assert.equal(refused, undefined);
  }
  await enclave.start({
    rootKey: undefined,
    givesNextKey: true,
    liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 },
    deployment: testDeployment,
  });
  assert.throws(() => enclave.giveNextKey({ rootKey: nextKey() }), /could not read/);
  assert.equal((await enclave.keyEpoch(undefined)).nextKey, undefined);
  await store.close();
});

test('repeated and reordered rows of a rotation stay whole', async () => {
  const world = await startWithRows();
  const { service, child, call, rename } = world;
  await call('giveNextKey', { rootKey: nextKey() });
  await call('advanceKeyEpoch', { webhookEpochs: [1] });
  await call('keyEpoch', undefined);
  const rows = (await rowsOf(world)).toReversed();
  const messages = messagesOf(rows);
  const answers = await Promise.all(
    [...messages, ...messages].map(async (sent) => ({
      sent,
      bodies: (await call('resealRows', sent)).bodies,
    })),
  );
  // A result opens only at the place of its row, so no answers were exchanged.
  for (const { sent, bodies } of answers) {
    assert.equal(bodies.length, sent.rows.length);
    const again = sent.rows.map((row, i) => ({
      ...row,
      body: bodies[i]?.length ? bodies[i] : row.body,
    }));
    await call('checkRows', { table: sent.table, rows: again });
  }
  assert.equal((await rename('after')).status, 200);
  assert.equal((await rename('after', child)).status, 200);
  await service.close();
});

test('one of two rotations at once begins, and an early end opens nothing', async () => {
  const world = await startWithRows();
  const { service, call, rename } = world;
  // No step begins without a next key.
  assert.deepEqual(await call('advanceKeyEpoch', { webhookEpochs: [] }), { isAdvanced: false });
  assert.deepEqual(await call('endKeyEpoch', undefined), { isEnded: true });
  await call('giveNextKey', { rootKey: nextKey() });
  const begun = await Promise.all(
    [1, 2, 3].map(() => call('advanceKeyEpoch', { webhookEpochs: [1] }).catch(() => undefined)),
  );
  assert.equal(begun.filter((each) => each?.isAdvanced === true).length, 1);
  assert.equal((await readKeyEpoch(service.store.port))?.version, 1);
  // The enclave drops a next key that arrives during a rotation.
  await call('giveNextKey', { rootKey: new Uint8Array(32).fill(11) });
  assert.equal((await call('keyEpoch', undefined)).nextKey, undefined);
  assert.equal((await rename('during')).status, 200);
  const before = await rowsOf(world);
  await call('endKeyEpoch', undefined);
  service.advance(60_000);
  await call('keyEpoch', undefined);
  service.advance(60_000);
  const { opensOthers } = await call('keyEpoch', undefined);
  assert.equal(opensOthers, false);
  // The enclave refuses rows of the earlier key, and opens rows that have the new key already.
  const outcomes = new Set<string>();
  for (const row of before) {
    if (row.body.length === 0) continue;
    await call('checkRows', { table: row.table, rows: [row] }).then(
      () => outcomes.add('opened'),
      () => outcomes.add('refused'),
    );
  }
  assert.deepEqual([...outcomes].toSorted(), ['opened', 'refused']);
  await service.close();
});
