// Boot statements in receipts: the run that appended an entry, and the rejection of altered statements.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createLogRows } from '../../src/enclave/records/log_rows.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { noChange, type StorePort } from '../../src/store/port.ts';
import { startAnother } from '../operations/proofs/another_run.ts';
import { startSecondNode } from '../operations/second_node.ts';
import {
  seededRandom,
  startTestService,
  type TestService,
  testRootKey,
} from '../support/harness.ts';
import { appendAll, policyOf } from './log_of.ts';

// biome-ignore lint/suspicious/noExplicitAny: receipts are altered by member in tests
type Shown = any;

const ofRun = ['bootEntry', 'bootPlace', 'runProof'] as const;
let policy: string;
let latest: Shown;
/** Receipts of two entries of one run, and of an entry of the next run. */
let first: Shown;
let second: Shown;
let ofNextRun: Shown;
/** Receipts at one checkpoint: of the entry of the next run, and of a later entry of the first run. */
let overtaken: Shown;
let ofFirstRun: Shown;
let ofEarlierRelease: Shown;
let afterUpgrade: Shown;
/** Answers of a database without the rows of boot entries, and without the signed trees. */
let refusals: readonly Shown[];

const rename = async (service: TestService, organizationName: string): Promise<string> => {
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const { body } = await service.submit('update_organization_name', type, { organizationName });
  return body.activity.id;
};
const receiptOf = async (service: TestService, activityId: string): Promise<Shown> =>
  (await service.query('get_receipt', { activityId })).body.receipt;

/** Rewrites the head of the log in the form of a release without boot statements. */
async function asOfEarlierRelease({ store: { port } }: TestService): Promise<void> {
  const sealing = createSealing('seal', createRootKeys(testRootKey()), seededRandom('head'));
  const rows = createLogRows({ store: port, codec: createRecordCodec(sealing) });
  const found = await rows.head(0);
  assert.ok(found?.head);
  const { signedSince: _, ...head } = found.head;
  const organizations = [rows.rowOfHead(head, found.version + 1)];
  assert.equal(await port.commit({ ...noChange, organizations }), 'committed');
}

/** Requests receipts from an enclave whose database lacks the rows of a kind. */
async function receiptWithout(kind: string, service: TestService, activityId: string) {
  const { port } = service.store;
  const isOther = (request: { readonly kind: string }) => request.kind !== kind;
  const without: StorePort = {
    ...port,
    records: async (request) => (isOther(request) ? port.records(request) : []),
    recordPage: async (request) => (isOther(request) ? port.recordPage(request) : []),
  };
  const store = { ...service.store, port: without };
  const other = await startAnother({ ...service, store }, `without ${kind}`);
  const { organizationId } = service.root;
  const body = Buffer.from(JSON.stringify({ organizationId, activityId }));
  return other.send('query', 'get_receipt', body);
}

before(async () => {
  const service = await startTestService();
  const ids = [await rename(service, 'One')];
  await appendAll(service);
  ids.push(await rename(service, 'Two'), await rename(service, 'Three'));
  await appendAll(service);
  latest = (await service.query('get_latest_boot_proof', {})).body.bootProof;
  policy = await policyOf(service);
  [first, , second] = await Promise.all(ids.map((id) => receiptOf(service, id)));

  const enclave = await startSecondNode(service, 'next run');
  const id = await rename(service, 'Four');
  const waiting = await service.store.log.next({ limit: 10 });
  await enclave.appendLog({ waiting: [...waiting] });
  ofNextRun = await receiptOf(service, id);
  const afterwards = await rename(service, 'By the first run');
  await appendAll(service);
  [overtaken, ofFirstRun] = await Promise.all([id, afterwards].map((of) => receiptOf(service, of)));

  await asOfEarlierRelease(service);
  ofEarlierRelease = await receiptOf(service, id);
  const later = await rename(service, 'Five');
  await appendAll(service);
  afterUpgrade = await receiptOf(service, later);
  refusals = await Promise.all(
    ['log_boot', 'log_signed_tree'].map((kind) => receiptWithout(kind, service, later)),
  );
  await service.close();
});

const verified = (receipt: Shown, trusted = policy) =>
  verifyReceipt(JSON.stringify(receipt), trusted);
const limitOf = (receipt: Shown) =>
  verified(receipt).cannotShow.filter((each) => each.includes('has no boot statement'));

test('a receipt proves the run that appended its entry, by the key of its boot statement', () => {
  const { boot, index } = verified(second);
  const { softwareStatement, ephemeralPublicKeyHex } = latest;
  assert.deepEqual(boot?.statement, JSON.parse(softwareStatement.statement));
  assert.equal(boot?.statement['ephemeralPublicKeyHex'], ephemeralPublicKeyHex);
  assert.equal(boot?.attestationKey, softwareStatement.publicKey);
  // The run adds its boot statement once, before its first entry.
  assert.deepEqual([boot?.index, index], [0, 4]);
  assert.equal(first.bootEntry, second.bootEntry);
  assert.deepEqual(limitOf(second), []);
});

test('each run proves only the entries that it appended', () => {
  const { boot } = verified(ofNextRun);
  assert.notEqual(boot?.statement['ephemeralPublicKeyHex'], latest.ephemeralPublicKeyHex);
  assert.equal(boot?.attestationKey, latest.softwareStatement.publicKey);
  const { bootEntry, bootPlace } = second;
  assert.throws(() => verified({ ...ofNextRun, bootEntry }), /does not have the boot statement/);
  // The boot entry of the other run is in the same log, but its place is proven for an earlier tree.
  assert.throws(() => verified({ ...ofNextRun, bootEntry, bootPlace }), /boot statement|malformed/);
  const { runProof } = second;
  assert.throws(() => verified({ ...ofNextRun, runProof }), /did not sign the entry/);
});

test('a run that was there before proves no entry of another run, though it signs later trees', () => {
  verified(overtaken);
  const { bootEntry, bootPlace, runProof } = ofFirstRun;
  assert.equal(bootEntry, second.bootEntry);
  // The first run signed the tree of the checkpoint, so it has the entry at the same place.
  const [place] = overtaken.proof.split('\n\n');
  const note = runProof.slice(runProof.indexOf('\n\n'));
  const ofOther = { ...overtaken, bootEntry, bootPlace, runProof: `${place}${note}` };
  assert.throws(() => verified(ofOther), /did not sign the entry/);
});

test('a receipt without a boot statement verifies, and names what it lacks', () => {
  assert.deepEqual(
    Object.keys(ofEarlierRelease).filter((each) => /boot|run/.test(each)),
    [],
  );
  assert.equal(verified(ofEarlierRelease).boot, undefined);
  assert.equal(limitOf(ofEarlierRelease).length, 1);
  assert.ok(verified(afterUpgrade).boot);
  for (const name of ofRun) {
    const { [name]: _, ...others } = second;
    assert.throws(() => verified(others), /malformed/, name);
    assert.throws(() => verified({ ...second, [name]: 1 }), /malformed/, name);
  }
});

test('a receipt is refused if the database withholds the rows of a run', () => {
  for (const answer of refusals) {
    assert.equal(answer.receipt, undefined);
    assert.match(answer.message, /^internal server error/);
  }
});

test('a policy with programs rejects other programs, and receipts without a boot statement', () => {
  const program = verified(second).boot?.statement['sourcesDigest'];
  const other = 'ab'.repeat(32);
  verified(second, `${policy}program ${other}\nprogram ${program}\n`);
  assert.throws(
    () => verified(second, `${policy}program ${other}\n`),
    /does not trust the program/,
  );
  const strict = `${policy}program ${program}\n`;
  assert.throws(() => verified(ofEarlierRelease, strict), /without boot statement/);
  assert.throws(() => verified(second, `${policy}program ${other}0\n`), /the digest is malformed/);
});

test('a statement that the log lacks is rejected, even if its key signs everything', () => {
  const secret = p256.utils.randomSecretKey();
  const publicKey = Buffer.from(p256.getPublicKey(secret, false));
  const signed = (text: string) => Buffer.from(p256.sign(Buffer.from(text), secret));
  const forged = JSON.stringify({
    ...JSON.parse(latest.softwareStatement.statement),
    ephemeralPublicKeyHex: `${publicKey.toString('hex')}${publicKey.toString('hex')}`,
  });
  const entry = (statement: string) =>
    `keywright-log-boot/v1\nattestation ${publicKey.toString('hex')}\n` +
    `signature ${signed(statement).toString('hex')}\n\n${statement}\n`;
  const bootEntry = entry(forged);
  assert.throws(() => verified({ ...second, bootEntry }), /the log does not have the boot/);

  // The signature of another key over the same tree.
  const [text = '', line = ''] = second.runProof.split('\n\n').slice(1);
  const id = createHash('sha256')
    .update('keywright-run\n')
    .update(Buffer.of(1))
    .update(publicKey)
    .digest()
    .subarray(0, 4);
  const signature = Buffer.concat([id, signed(`${text}\n`)]).toString('base64');
  const foreign = second.runProof.replace(line, `— keywright-run ${signature}\n`);
  assert.notEqual(foreign, second.runProof);
  assert.throws(() => verified({ ...second, runProof: foreign }), /did not sign the entry/);
});

test('every character of the boot statement and its proofs is verified', () => {
  for (const name of ofRun) {
    const text: string = second[name];
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'x' ? 'y' : 'x';
      const mutated = text.slice(0, at) + other + text.slice(at + 1);
      assert.throws(() => verified({ ...second, [name]: mutated }), Error, `${name} at ${at}`);
    }
  }
});
