// A log and its witnesses: receipts have the cosignatures that their policy requires.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { readPolicy } from '../../src/core/log/trust_policy.ts';
import { startWitnesses, witnessPollMs } from '../../src/gateway/log/witnesses.ts';
import type { OutboundRequest } from '../../src/gateway/outbound/request.ts';
import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { createWitness, newWitnessKey, type RunningWitness } from '../../src/receipts/witness.ts';
import { manualClock } from '../gateway/manual_clock.ts';
import { startTestService, type TestService } from '../support/harness.ts';

const names = ['a', 'b', 'c'];
let service: TestService;
let witnesses: ReadonlyMap<string, RunningWitness>;
let logLine: string;

const appendAll = async () => {
  const waiting = await service.store.log.next({ limit: 512 });
  await service.enclave.appendLog({ waiting: [...waiting] });
  await service.store.log.done(waiting);
};
const logged = async (organizationName: string): Promise<string> => {
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const { body } = await service.submit('update_organization_name', type, { organizationName });
  await appendAll();
  return body.activity.id;
};
const receiptOf = async (activityId: string): Promise<string> =>
  JSON.stringify((await service.query('get_receipt', { activityId })).body);
const memoryOf = () => {
  const notes = new Map<string, string>();
  return {
    read: (origin: string) => notes.get(origin),
    write: (origin: string, note: string) => notes.set(origin, note),
    origins: () => [...notes.keys()],
  };
};

before(async () => {
  service = await startTestService();
  await logged('First');
  logLine = `log ${(await service.enclave.logCheckpoint(undefined)).key}\n`;
  witnesses = new Map(
    names.map((name) => [
      name,
      createWitness(newWitnessKey(`${name}.example`), `${logLine}quorum none\n`, memoryOf()),
    ]),
  );
});
after(() => service.close());

const policyOf = (quorum: string, of: Iterable<[string, RunningWitness]> = witnesses): string => {
  const lines = [...of].map(
    ([name, { verifierKey }]) => `witness ${name} ${verifierKey} https://${name}.example/w/\n`,
  );
  const [, k] = /^of-(any|2|3)$/.exec(quorum) ?? [];
  const group = k === undefined ? '' : `group ${quorum} ${k} ${names.join(' ')}\n`;
  return `${logLine}${lines.join('')}${group}quorum ${quorum}\n`;
};

/** Creates the enclave's requests to the witnesses. The witnesses in `away` do not answer. */
function started(away: Set<string>) {
  const { clock, advance } = manualClock();
  const asked: string[] = [];
  const complaints: unknown[] = [];
  const { enclave } = service;
  const worker = startWitnesses({
    policy: readPolicy(sha256, policyOf('of-2')),
    checkpoint: async () => (await enclave.logCheckpoint(undefined)).note,
    consistency: async (from, to) => (await enclave.logConsistency({ from, to })).proof,
    cosigned: async (note) => enclave.rememberCosigned({ note }),
    send: async ({ url, body }: OutboundRequest) => {
      const { host, pathname } = new URL(url);
      const name = host.replace('.example', '');
      asked.push(name);
      const witness = witnesses.get(name);
      if (away.has(name) || witness === undefined) return { failure: 'timeout', detail: 'away' };
      assert.equal(pathname, '/w/add-checkpoint');
      const answer = witness.add(new TextDecoder().decode(body), 1_700_000_000);
      return { status: answer.status, headers: {}, body: Buffer.from(answer.body) };
    },
    ...clock,
    log: (_level, _text, more) => complaints.push(more),
  });
  return { worker, asked, complaints, advance };
}

test('a receipt has the cosignatures of k of n witnesses, and fewer are rejected', async () => {
  const id = await logged('Second');
  const alone = await receiptOf(id);
  assert.throws(() => verifyReceipt(alone, policyOf('of-any')), /too few witnesses/);
  const away = new Set(['c']);
  const { worker, asked, complaints, advance } = started(away);
  await advance(witnessPollMs);
  const twice = await receiptOf(id);
  assert.deepEqual(verifyReceipt(twice, policyOf('of-2')).witnesses, ['a', 'b']);
  assert.throws(() => verifyReceipt(twice, policyOf('of-3')), /too few witnesses/);
  assert.deepEqual(complaints[0], { witness: 'c', reason: 'timeout: away' });

  const before = asked.length;
  away.clear();
  await advance(10 * witnessPollMs);
  const whole = await receiptOf(id);
  assert.deepEqual(verifyReceipt(whole, policyOf('of-3')).witnesses, names);
  assert.ok(asked.length <= before + 2, 'a checkpoint that all cosigned is not sent again');

  // A newer checkpoint without its quorum does not replace one with it.
  away.add('a').add('b');
  const next = await logged('Third');
  await advance(2 * witnessPollMs);
  verifyReceipt(await receiptOf(id), policyOf('of-3'));
  const late = await receiptOf(next);
  assert.throws(() => verifyReceipt(late, policyOf('of-3')), /too few witnesses/);
  away.clear();
  await advance(60 * witnessPollMs);
  verifyReceipt(await receiptOf(next), policyOf('of-3'));
  const served = (await service.enclave.logCheckpoint(undefined)).note ?? '';
  assert.equal(served.match(/^— /gm)?.length, 1 + names.length);
  await worker.stop();
});

test('a witness with another key, a longer log or another tree is reported with its reason', async () => {
  const id = await logged('Fourth');
  const kept = witnesses;
  const longer: RunningWitness = {
    verifierKey: '',
    add: () => ({ status: 409, body: '1000000\n' }),
    at: () => undefined,
  };
  const other = createWitness(newWitnessKey('b.example'), policyOf('none'), memoryOf());
  // It has a tree of each size, and none of them is the tree of the log.
  const forked: RunningWitness = {
    verifierKey: '',
    add: (body) => ({ status: 409, body: `${/\n\n[^\n]+\n(\d+)\n/.exec(body)?.[1]}\n` }),
    at: () => undefined,
  };
  const { worker, complaints, advance } = started(new Set());
  witnesses = new Map([...kept, ['a', longer], ['b', other], ['c', forked]]);
  await advance(witnessPollMs);
  await worker.stop();
  witnesses = kept;
  const said = JSON.stringify(complaints);
  assert.match(said, /"a","reason":"it has cosigned 1000000 entries of the log, and the log has/);
  assert.match(said, /"b","reason":"its cosignature is invalid"/);
  assert.match(said, /"c","reason":"it has cosigned another tree of \d+ entries"/);
  assert.ok(verifyReceipt(await receiptOf(id), policyOf('none')).index > 0);
});

test('the enclave takes no checkpoint that it did not sign', async () => {
  const { note = '' } = await service.enclave.logCheckpoint(undefined);
  const altered = note.replace(/\n\d+\n/, '\n1\n');
  await assert.rejects(async () => service.enclave.rememberCosigned({ note: altered }));
});
