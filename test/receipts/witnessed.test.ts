// Witnesses as anchors: an enclave queries them at its start, and refuses a database that is older than the
// log that they cosigned.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { readPolicy } from '../../src/core/log/trust_policy.ts';
import { witnessedPath } from '../../src/core/log/witness.ts';
import { createWitnessed } from '../../src/gateway/log/witnessed.ts';
import type { OutboundAnswer, OutboundFailure } from '../../src/gateway/outbound/request.ts';
import { createWitness, newWitnessKey, type RunningWitness } from '../../src/receipts/witness.ts';
import { type Snapshot, startTestService, type TestService } from '../support/harness.ts';
import { appendAll } from './log_of.ts';

const names = ['a', 'b', 'c'];
const seconds = 1_700_000_000;
const witnesses = new Map<string, RunningWitness>();
let service: TestService;
let logLine: string;
let origin: string;
/** The database before the last entries that the witnesses cosigned. */
let older: Snapshot;
let newest: string;

const rename = async (of: TestService, organizationName: string): Promise<void> => {
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const { status } = await of.submit('update_organization_name', type, { organizationName });
  assert.equal(status, 200);
  await appendAll(of);
};
const checkpointOf = async ({ enclave }: TestService): Promise<string> =>
  (await enclave.logCheckpoint(undefined)).note ?? assert.fail('the log has entries');

before(async () => {
  service = await startTestService();
  await rename(service, 'One');
  logLine = `log ${(await service.enclave.logCheckpoint(undefined)).key}\n`;
  older = service.snapshot();
  await rename(service, 'Two');
  newest = await checkpointOf(service);
  [origin = ''] = newest.split('\n');
  for (const name of names) {
    const notes = new Map<string, string>();
    const witness = createWitness(newWitnessKey(`${name}.example`), `${logLine}quorum none\n`, {
      read: (of) => notes.get(of),
      write: (of, note) => notes.set(of, note),
      origins: () => [...notes.keys()],
    });
    assert.equal(witness.add(`old 0\n\n${newest}`, seconds).status, 200);
    witnesses.set(name, witness);
  }
});
after(() => service.close());

function policyOf(quorum: string): string {
  const lines = [...witnesses].map(
    ([name, { verifierKey }]) => `witness ${name} ${verifierKey} https://${name}.example/w/\n`,
  );
  return `${logLine}${lines.join('')}group two 2 ${names.join(' ')}\nquorum ${quorum}\n`;
}

type Answers = Readonly<Record<string, OutboundAnswer | OutboundFailure>>;

/** Creates a function that queries the witnesses; `answers` replaces the answers of some witnesses. */
function asking(answers: Answers, { isRequired = false, nowMs = (): number => 0 } = {}) {
  const asked: string[] = [];
  const logged: unknown[] = [];
  const ask = createWitnessed({
    policy: readPolicy(sha256, policyOf('two')),
    isRequired,
    now: nowMs,
    log: (level, message, fields) => logged.push({ level, message, ...fields }),
    send: async ({ url, method, timeoutMs }) => {
      const { host, pathname } = new URL(url);
      const name = host.replace('.example', '');
      asked.push(name);
      assert.equal(method, 'GET');
      assert.ok(timeoutMs <= 5_000);
      const given = answers[name];
      if (given !== undefined) return given;
      const note = witnesses.get(name)?.at(pathname.replace('/w', ''));
      const status = note === undefined ? 404 : 200;
      return { status, headers: {}, body: Buffer.from(note ?? 'nothing') };
    },
  });
  return { ask, asked, logged };
}

const answerOf = (text: string, status = 200): OutboundAnswer => ({
  status,
  headers: {},
  body: Buffer.from(text),
});
const noteOf = (name: string): string =>
  witnesses.get(name)?.at(witnessedPath(sha256, origin)) ?? assert.fail('a witness has the log');
const timeout = { failure: 'timeout', detail: 'no answer' } as const;

test('every witness reports the newest checkpoint that it cosigned', async () => {
  const { ask, logged } = asking({});
  const { checkpoints } = await ask({ origins: [origin, `${origin}0`] });
  const expected = names.map((witness) => ({ witness, note: noteOf(witness) }));
  assert.deepEqual(checkpoints, expected);
  assert.deepEqual(logged, []);
});

test('a silent witness and a false answer cause a warning each, and are not asked again at once', async () => {
  const unsigned = noteOf('c').split('\n').slice(0, -2).join('\n');
  const falseAnswers = {
    'of another witness': noteOf('a'),
    'without a cosignature': `${unsigned}\n`,
    'of another size': noteOf('c').replace(/\n\d+\n/, '\n1000\n'),
    'no note': 'hello',
    'not UTF-8': '\ud800',
  };
  for (const [what, text] of Object.entries(falseAnswers)) {
    let now = 0;
    const given = { a: timeout, b: answerOf('', 500), c: answerOf(text) };
    const { ask, asked, logged } = asking(given, { nowMs: () => now });
    assert.deepEqual(await ask({ origins: [origin] }), { checkpoints: [] }, what);
    const reasons = logged.map((each) => Object(each).reason);
    const ofFalse = 'its answer is not a checkpoint that it cosigned';
    assert.deepEqual(reasons, ['timeout: no answer', 'it answered 500', ofFalse], what);
    assert.ok(logged.every((each) => Object(each).level === 'warn'));
    now = 59_999;
    await ask({ origins: [origin] });
    assert.deepEqual(asked, names);
    now = 60_000;
    await ask({ origins: [origin] });
    assert.deepEqual(asked, [...names, ...names]);
  }
});

test('a start that requires witnesses needs the quorum of the policy, and asks each time', async () => {
  const isUnanswered = (error: unknown) =>
    error instanceof ServiceError && error.code === 'witnesses_unanswered';
  const two = asking({ b: timeout }, { isRequired: true });
  assert.equal((await two.ask({ origins: [origin] })).checkpoints.length, 2);
  const one = asking({ a: timeout, b: timeout }, { isRequired: true });
  await assert.rejects(one.ask({ origins: [origin] }), isUnanswered);
  await assert.rejects(one.ask({ origins: [origin] }), isUnanswered);
  assert.deepEqual(one.asked, [...names, ...names]);
  // A witness that does not know the log answers, too.
  const unknown = asking(
    { a: answerOf('', 404), b: answerOf('', 404), c: timeout },
    { isRequired: true },
  );
  assert.deepEqual(await unknown.ask({ origins: [origin] }), { checkpoints: [] });
});

/** Starts an enclave on a state of the database, with these checkpoints of a witness. */
async function startOn(
  from: Snapshot,
  witnessed: (origins: readonly string[]) => readonly string[],
) {
  const log: string[] = [];
  const again = await startTestService({
    from,
    log,
    witnessed: async (origins) => witnessed(origins).map((note) => ({ witness: 'w', note })),
  });
  return { again, log };
}

async function refusalOf({ enclave }: TestService): Promise<string> {
  try {
    await enclave.logCheckpoint(undefined);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error.message;
  }
  return '';
}

test('a database that is older than a cosigned checkpoint is refused, and the message counts the missing entries', async () => {
  const { again } = await startOn(older, () => [newest]);
  const refusal = await refusalOf(again);
  assert.match(refusal, /older than the witness w: its log has 3 entries, up to 2026-01-01T/);
  assert.match(refusal, /the anchor knows 5, so 2 are missing/);
  const { state, reason } = await again.enclave.copyStatus(undefined);
  assert.deepEqual([state, reason], ['refused', refusal]);
  await again.close();
});

test('a database of other entries is refused, and an equal or newer database starts', async () => {
  const other = await startTestService({ from: older });
  await rename(other, 'Other');
  await rename(other, 'And more');
  const { again } = await startOn(other.snapshot(), () => [newest]);
  assert.match(await refusalOf(again), /is not the log that the witness w knows: they differ/);
  await again.close();
  await other.close();
  for (const known of [[newest], []]) {
    const started = await startOn(service.snapshot(), () => known);
    assert.equal(await refusalOf(started.again), '');
    await rename(started.again, 'Three');
    await started.again.close();
  }
});

test('a checkpoint that the log did not sign causes a warning, and the service starts', async () => {
  const forged = newest.replace(/\n5\n/, '\n1000\n');
  const foreign = newest.replace(origin, `${origin}0`);
  for (const note of [forged, foreign, 'no note']) {
    const { again, log } = await startOn(older, () => [note]);
    assert.equal(await refusalOf(again), '');
    assert.match(log.join(), /a witness reported a checkpoint that this log did not sign/);
    await again.close();
  }
});

test('the enclave asks for the log of its epoch and of the next one', async () => {
  const asked: string[] = [];
  const { again } = await startOn(older, (origins) => {
    asked.push(...origins);
    return [];
  });
  await checkpointOf(again);
  assert.deepEqual(asked, [origin, origin.replace(/1$/, '2')]);
  await again.close();
});
