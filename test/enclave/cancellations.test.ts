import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { createCancellations } from '../../src/enclave/turns/cancellations.ts';
import type { RequestKind } from '../../src/ipc/messages.ts';
import type { StorePort } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { stampOf, startMs, type TestKey, testKey } from '../support/harness.ts';
import { activityBody, queryBody, startServiceOver } from './service_over.ts';

const key = testKey('root');
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts an enclave whose commits wait while `hold` is on, with a clock that tests move. */
async function startWorld() {
  const store = openSqliteStore({ file: ':memory:' });
  closers.push(() => store.close());
  let now = startMs;
  let gate: PromiseWithResolvers<void> | undefined;
  let commits = 0;
  let committing = Promise.withResolvers<void>();
  const port: StorePort = {
    ...store.port,
    commit: async (change) => {
      commits += 1;
      committing.resolve();
      await gate?.promise;
      return store.port.commit(change);
    },
  };
  const { enclave } = await startServiceOver({
    store: port,
    seed: 'waiting',
    clock: () => now,
    usesThreadPool: false,
  });
  const { organizationId } = await enclave.bootstrap({
    organizationName: 'Test organization',
    userName: 'Root user',
    apiKeyName: 'Root key',
    apiPublicKey: key.publicKey,
    enablesAuthProxy: false,
  });
  const requestOf = (
    kind: RequestKind,
    operation: string,
    body: Uint8Array,
    by: TestKey = key,
  ) => ({
    requestId: 'the same id',
    kind,
    operation,
    headers: [stampOf(body, by)],
    body,
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
  });
  return {
    enclave,
    advance: (ms: number) => {
      now += ms;
    },
    now: () => now,
    /** Resolves once a commit waits. */
    isCommitting: () => committing.promise,
    hold: () => {
      committing = Promise.withResolvers();
      gate = Promise.withResolvers();
    },
    release: () => {
      gate?.resolve();
      gate = undefined;
    },
    commits: () => commits,
    change: (userTagName: string) => {
      now += 1;
      const parameters = { userTagName, userIds: [] };
      const body = activityBody('ACTIVITY_TYPE_CREATE_USER_TAG', organizationId, parameters, now);
      return requestOf('submit', 'create_user_tag', body);
    },
    query: () => requestOf('query', 'whoami', queryBody(organizationId)),
    tagNames: async () => {
      const list = requestOf('query', 'list_user_tags', queryBody(organizationId));
      const { body } = await enclave.request(list);
      const { userTags } = JSON.parse(textOfUtf8(body) ?? '');
      return userTags.map(({ tagName }: { tagName: string }) => tagName);
    },
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;
type Answer = Awaited<ReturnType<World['enclave']['request']>>;

const idOf = ({ body }: Answer) => JSON.parse(textOfUtf8(body) ?? '').activity.id;
function assertNotBegun(answer: Answer): void {
  assert.equal(answer.errorCode, 'not_begun');
  assert.equal(answer.status, 503);
  assert.match(textOfUtf8(answer.body) ?? '', /was not started; send the same request again/);
}
const turns = async () => {
  for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a request whose deadline has passed', () => {
  test('is not started for any kind of request, and is carried out when it is sent again', async () => {
    const world = await startWorld();
    const deadlineAtMs = world.now();
    const late = world.change('late');
    const before = world.commits();
    assertNotBegun(await world.enclave.request({ ...late, deadlineAtMs }));
    assertNotBegun((await world.enclave.prepare({ ...late, deadlineAtMs })).answer);
    assertNotBegun(await world.enclave.request({ ...world.query(), deadlineAtMs }));
    const dryRun = { ...late, kind: 'dry_run' as const, deadlineAtMs };
    assertNotBegun(await world.enclave.request(dryRun));
    assert.equal(world.commits(), before, 'nothing was committed');
    const again = await world.enclave.request({ ...late, deadlineAtMs: world.now() + 1 });
    assert.equal(again.status, 200);
    assert.deepEqual(await world.tagNames(), ['late']);
  });

  test('is not started when its turn comes too late', async () => {
    const world = await startWorld();
    world.hold();
    const first = world.enclave.request(world.change('first'));
    await world.isCommitting();
    const second = world.change('second');
    const waits = world.enclave.request({ ...second, deadlineAtMs: world.now() + 1_000 });
    const third = world.enclave.request({
      ...world.change('third'),
      deadlineAtMs: world.now() + 1_002,
    });
    await turns();
    world.advance(1_001);
    world.release();
    assert.equal((await first).status, 200);
    assertNotBegun(await waits);
    assert.equal((await third).status, 200);
    assert.equal((await world.enclave.request(second)).status, 200);
    assert.deepEqual((await world.tagNames()).toSorted(), ['first', 'second', 'third']);
  });

  test('is finished once it has started', async () => {
    const world = await startWorld();
    world.hold();
    const change = world.change('first');
    const answer = world.enclave.request({ ...change, deadlineAtMs: world.now() + 1 });
    await world.isCommitting();
    world.advance(10);
    world.release();
    assert.equal((await answer).status, 200);
  });
});

describe('a cancelled request', () => {
  test('is not started at its turn, unlike the others', async () => {
    const world = await startWorld();
    world.hold();
    const requests = ['first', 'second', 'third'].map(world.change);
    const answers: (Answer | Promise<Answer>)[] = [];
    for (const [cancelId, request] of requests.entries()) {
      answers.push(world.enclave.request({ ...request, cancelId }));
      // Stamps are verified in parallel, so the first request must start before the others are sent.
      if (cancelId === 0) await world.isCommitting();
    }
    await turns();
    await world.enclave.cancel({ cancelId: 1 });
    await world.enclave.cancel({ cancelId: 7 });
    world.release();
    const [first, second, third] = await Promise.all(answers);
    assert.deepEqual([first?.status, third?.status], [200, 200]);
    assert.ok(second !== undefined);
    assertNotBegun(second);
    assert.deepEqual((await world.tagNames()).toSorted(), ['first', 'third']);
    const [, again] = requests;
    assert.ok(again !== undefined);
    assert.equal((await world.enclave.request({ ...again, cancelId: 8 })).status, 200);
    assert.deepEqual((await world.tagNames()).toSorted(), ['first', 'second', 'third']);
  });

  test('is finished once it has started, and is the same activity when it is sent again', async () => {
    const world = await startWorld();
    world.hold();
    const change = world.change('kept');
    const answer = world.enclave.request({ ...change, cancelId: 1 });
    await world.isCommitting();
    await world.enclave.cancel({ cancelId: 1 });
    world.release();
    const first = await answer;
    assert.equal(first.status, 200);
    const again = await world.enclave.request({ ...change, cancelId: 2 });
    assert.equal(idOf(again), idOf(first));
    assert.deepEqual(await world.tagNames(), ['kept']);
  });
});

test('the cancel id of a request is deleted with the request', () => {
  const cancellations = createCancellations(() => 0);
  cancellations.cancel(1);
  const first = cancellations.enter({ cancelId: 1 });
  first.checkNotCancelled();
  cancellations.cancel(1);
  assert.throws(() => first.checkNotCancelled(), { code: 'not_begun' });
  first.leave();
  cancellations.cancel(1);
  cancellations.enter({ cancelId: 1 }).checkNotCancelled();
  cancellations.enter({}).checkNotCancelled();
});
