// Mutated receipts: none is accepted. SOAK=true tries a million.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { startTestService } from '../support/harness.ts';

const mutations = process.env['SOAK'] === 'true' ? 1_000_000 : 2_000;

const ofRun = ['bootEntry', 'bootPlace', 'runProof'] as const;
const names = ['receiptFormat', 'entry', 'salt', 'record', 'proof', ...ofRun] as const;
type Receipt = Readonly<Record<(typeof names)[number], string>>;

let receipt: Receipt;
let policy: string;

before(async () => {
  const service = await startTestService();
  const ids: string[] = [];
  for (const organizationName of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
    const answer = await service.submit('update_organization_name', type, { organizationName });
    ids.push(answer.body.activity.id);
  }
  const waiting = await service.store.log.next({ limit: 10 });
  await service.enclave.appendLog({ waiting: [...waiting] });
  receipt = (await service.query('get_receipt', { activityId: ids[2] })).body.receipt;
  const { key } = await service.enclave.logCheckpoint(undefined);
  policy = `log ${key}\nquorum none\n`;
  await service.close();
});

const isAccepted = (mutated: object, trusted = policy): boolean => {
  try {
    verifyReceipt(JSON.stringify(mutated), trusted);
    return true;
  } catch (error) {
    assert.ok(error instanceof Error && error.message.length > 10);
    return false;
  }
};

test('the receipt as it was given is accepted', () => {
  assert.ok(isAccepted(receipt));
});

test(`${mutations} mutated receipts are rejected`, () => {
  let seed = 1;
  const random = (below: number): number => {
    // A linear congruential generator: the same mutations in every run.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let i = 0; i < mutations; i += 1) {
    const name = names[random(names.length)] ?? 'entry';
    const text = receipt[name];
    const at = random(text.length);
    const other = String.fromCharCode(32 + random(95));
    const mutated = [
      () => text.slice(0, at) + other + text.slice(at + 1),
      () => text.slice(0, at) + text.slice(at + 1),
      () => text.slice(0, at) + other + text.slice(at),
      () => text.slice(0, at),
    ][random(4)]?.();
    if (mutated === text) continue;
    assert.ok(!isAccepted({ ...receipt, [name]: mutated }), `${name} at ${at}: ${mutated}`);
  }
});

test('a receipt is rejected under a policy of another log, or without its quorum', () => {
  const key = policy.split('\n')[0] ?? '';
  const other = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  assert.ok(!isAccepted(receipt, `log ${other}\nquorum none\n`));
  assert.ok(!isAccepted(receipt, `${key}\nwitness one ${other}\nquorum one\n`));
  assert.ok(!isAccepted(receipt, `${key}\n`), 'a policy names a quorum');
  assert.ok(!isAccepted({ ...receipt, more: '' }));
});

test('a receipt without its record verifies the place of its digest alone', () => {
  const { record: _, ...rest } = receipt;
  const verified = verifyReceipt(JSON.stringify(rest), policy);
  assert.equal(verified.activity, undefined);
});
