// Measures a large log, a receipt and a rotation of the root key: npm run log-size. The whole enclave runs in
// this process over a SQLite file. The log has some real activities, and random entries between them.
//
// LOG_ENTRIES      random entries of the log (100000; the bounds are those of 1000000)
// LOG_ACTIVITIES   real activities, half of them before the random entries (2000)
//
// All figures are processor time. It ends with 1 if a figure is above its bound.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tileWidth } from '../src/core/log/tiles.ts';
import { createEnclave } from '../src/enclave/enclave.ts';
import { createRootKeys } from '../src/enclave/keys/root_keys.ts';
import { createSealing } from '../src/enclave/keys/sealing.ts';
import { createLogRows } from '../src/enclave/records/log_rows.ts';
import { growTree } from '../src/enclave/records/log_tiles.ts';
import { createRecordCodec } from '../src/enclave/records/record_codec.ts';
import { createCosignedCheckpoint } from '../src/enclave/services/log_cosigned.ts';
import { type LoggedActivity, proveActivity } from '../src/enclave/services/log_proofs.ts';
import { createLogSigner } from '../src/enclave/services/log_signer.ts';
import { createLogState, frontierOf, treeOf } from '../src/enclave/services/log_state.ts';
import { verifyReceipt } from '../src/receipts/verify_receipt.ts';
import { noChange } from '../src/store/port.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { policyOf } from '../test/receipts/log_of.ts';
import { rotateFile } from '../test/rotation/rotated_world.ts';
import { temporaryDirectory } from '../test/store/temporary_directory.ts';
import { startTestService, type TestService, testRootKey } from '../test/support/harness.ts';
import { createTestOutside, testDeployment } from '../test/support/outside.ts';

const entryCount = Number(process.env['LOG_ENTRIES'] ?? 100_000);
const activityCount = Number(process.env['LOG_ACTIVITIES'] ?? 2_000);
const bounds = { proofMs: 1, startMs: 2_000, receiptMs: 5 } as const;
/** The number of entries in one step of the growth. */
const together = 65_536;
/** The number of activities in one batch: an organization that signs 200 times a second. */
const batch = 100;
const batchMs = 500;
const proofRounds = 10;
const random = (length: number) => Uint8Array.from(randomBytes(length));

const directory = temporaryDirectory();
const file = join(directory.path, 'keywright.sqlite');
const key = join(directory.path, 'root.key');
let failed = false;

const store = openSqliteStore({ file });
const service = await startTestService({ store });
const signWith = await walletOf(service);
const before = await sign(service, activityCount / 2);
await growLog(store, entryCount);
await store.close();

const reopened = openSqliteStore({ file });
const startMs = await timed(() => startOn(reopened));
print('start of an enclave', startMs, bounds.startMs, 'ms');
await reopened.close();

const later = await startTestService({ databaseFile: file });
later.advance(24 * 60 * 60 * 1_000);
const after = await sign(later, activityCount / 2);
const proofMs = await timeOfProofs(later, [...before, ...after]);
print('proof of an entry', proofMs, bounds.proofMs, 'ms');
print(
  'verification of a receipt',
  await timeOfReceipt(later, after.slice(-100)),
  bounds.receiptMs,
  'ms',
);
await later.close();

writeFileSync(key, testRootKey(), { mode: 0o600 });
let rows = 0;
const seconds =
  (await timed(async () => {
    rows = (await rotateFile(file, key)).rows;
  })) / 1_000;
write(`rotation with the check of all rows: ${rows} rows, ${(rows / seconds).toFixed(0)}/s`);
directory.remove();
process.exitCode = failed ? 1 : 0;

async function walletOf({ submit }: TestService): Promise<string> {
  const made = await submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'log',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  });
  return made.body.activity.result.createWalletResult.addresses[0];
}

/** Signs and appends; returns the ids of the activities. */
async function sign(signing: TestService, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let i = 1; i <= count; i += 1) {
    const { body } = await signing.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload: randomBytes(32).toString('hex'),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
    ids.push(body.activity.id);
    if (i % batch !== 0 && i !== count) continue;
    signing.advance(batchMs);
    await appendAll(signing);
  }
  return ids;
}

async function appendAll({ store: from, enclave }: TestService): Promise<void> {
  for (;;) {
    const waiting = await from.log.next({ limit: 512 });
    if (waiting.length === 0) return;
    await enclave.appendLog({ waiting: [...waiting] });
    await from.log.done(waiting);
  }
}

/** Appends random entries like an enclave appends its own. */
async function growLog({ port }: Store, count: number): Promise<void> {
  const keys = createRootKeys(testRootKey());
  const codec = createRecordCodec(createSealing('seal', keys, random));
  const rows = createLogRows({ store: port, codec });
  const signer = createLogSigner(keys);
  for (let left = count; left > 0; left -= together) {
    const found = await rows.head(0);
    if (found?.head === undefined) throw new Error('the log has a head');
    const version = found.version + 1;
    const tree = await growTree(rows, frontierOf(found.head));
    for (let i = Math.min(left, together); i > 0; i -= 1) tree.add(random(32));
    const { frontier, tiles } = tree.finish();
    const [origin = ''] = found.head.note.split('\n');
    const head = {
      ...found.head,
      size: frontier.size,
      peaks: frontier.peaks.map((peak) => peak.toBase64()),
      note: signer.sign({ origin, ...treeOf(frontier) }),
    };
    const outcome = await port.commit({
      ...noChange,
      organizations: [rows.rowOfHead(head, version)],
      records: tiles.map(({ level, index, hashes }) =>
        rows.rowOfTile(level, index, hashes, version),
      ),
    });
    if (outcome !== 'committed') throw new Error('the log grows');
  }
}

/** Starts an enclave up to its first checkpoint. */
async function startOn({ port }: Store): Promise<void> {
  const enclave = createEnclave({
    store: port,
    external: createTestOutside(),
    clock: Date.now,
    random,
    log: () => undefined,
  });
  await enclave.start({
    rootKey: testRootKey(),
    liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 },
    deployment: testDeployment,
  });
  await enclave.bootstrap({
    organizationName: '',
    userName: '',
    apiKeyName: '',
    apiPublicKey: '',
    enablesAuthProxy: false,
  });
  await enclave.logCheckpoint(undefined);
}

/** Returns milliseconds of processor time of this thread. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * Returns the processor time of one proof in an enclave that has already proved entries of the same runs,
 * but none in the same lowest tile. Rounds without other proofs warm up.
 */
async function timeOfProofs(
  { store: { port }, root: { organizationId } }: TestService,
  ids: readonly string[],
): Promise<number> {
  const codec = createRecordCodec(createSealing('seal', createRootKeys(testRootKey()), random));
  const activities = await Promise.all(
    ids.map(async (id) => {
      const row = await port.activity({ organizationId, id });
      if (row === undefined) throw new Error(`there is no activity ${id}`);
      return row;
    }),
  );
  const inOtherTiles = activities.filter((_, i) => i % tileWidth === tileWidth - 1);
  const [first, last] = [activities.at(0), activities.at(-1)];
  let ms = 0;
  for (let round = -proofRounds; round < proofRounds; round += 1) {
    const rows = createLogRows({ store: port, codec });
    const state = createLogState(rows, async () => async () => undefined);
    const proveAll = async (proven: readonly (LoggedActivity | undefined)[]) => {
      for (const activity of proven) {
        const cosigned = createCosignedCheckpoint();
        const proof = activity && (await proveActivity(rows, { state, cosigned }, activity));
        if (proof === undefined) throw new Error('an activity has no proof');
      }
    };
    await proveAll([first, last]);
    const roundMs = await timed(() => proveAll(inOtherTiles));
    if (round >= 0) ms += roundMs;
  }
  return ms / inOtherTiles.length / proofRounds;
}

/** Returns the processor time of the verification of one receipt, after one round that warms up. */
async function timeOfReceipt(from: TestService, ids: readonly string[]): Promise<number> {
  const policy = await policyOf(from);
  const answers = await Promise.all(
    ids.map((activityId) => from.query('get_receipt', { activityId })),
  );
  const receipts = answers.map(({ body }) => JSON.stringify(body.receipt));
  const verifyAll = async () => {
    for (const receipt of receipts) verifyReceipt(receipt, policy);
  };
  await verifyAll();
  return (await timed(verifyAll)) / receipts.length;
}

function print(what: string, value: number, bound: number, unit: string): void {
  failed ||= value > bound;
  write(`${what}, ${entryCount} entries: ${value.toFixed(2)} ${unit}, at most ${bound} ${unit}`);
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
