import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximumAccounts } from '../../src/enclave/turns/account_usage.ts';
import {
  createFairTurns,
  eventLoop,
  type FairTurns,
  longestBurstMs,
  type RequestAccount,
} from '../../src/enclave/turns/fair_turns.ts';

/** Creates turns with a clock that only work advances. */
function startThread() {
  let now = 0;
  const log: string[] = [];
  const turns = createFairTurns({ ...eventLoop, clock: () => now });
  return {
    turns,
    log,
    now: () => now,
    work: (name: string, ms: number) => {
      now += ms;
      log.push(name);
    },
  };
}
type Thread = ReturnType<typeof startThread>;

const of = (account: string, source = `at ${account}`): RequestAccount => ({
  account,
  source,
  payer: 'source',
});

/** Runs requests of one organization with this number of pieces, charged to a user at once. */
function flood(
  { turns, work }: Thread,
  asker: RequestAccount,
  { requests, pieces, ms }: { requests: number; pieces: number; ms: number },
): Promise<unknown> {
  const one = async () => {
    turns.chargeTo(asker.account, `user of ${asker.account}`);
    for (let piece = 0; piece < pieces; piece += 1) {
      work(asker.account, ms);
      await turns.pause();
    }
  };
  return Promise.all(Array.from({ length: requests }, () => turns.run(asker, one)));
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the number of pieces of others that run before a new request. */
async function waited(thread: Thread, asker: RequestAccount): Promise<number> {
  const before = thread.log.length;
  const at = await thread.turns.run(asker, async () => thread.log.length);
  return at - before;
}

test('a quiet account waits for one piece of a busy account, not for its queue', async () => {
  const thread = startThread();
  const bully = flood(thread, of('bully'), { requests: 200, pieces: 5, ms: 10 });
  for (let i = 0; i < 20; i += 1) {
    await turnOfLoop();
    const pieces = await waited(thread, of('other'));
    assert(pieces <= 1, `${pieces} pieces came first`);
  }
  await bully;
  assert.equal(thread.log.length, 1000);
});

test('busy accounts have equal shares, for any size of their pieces', async () => {
  const thread = startThread();
  const names = ['small', 'middle', 'large'];
  const all = Promise.all([
    flood(thread, of('small'), { requests: 1000, pieces: 1, ms: 2 }),
    flood(thread, of('middle'), { requests: 200, pieces: 2, ms: 5 }),
    flood(thread, of('large'), { requests: 2, pieces: 100, ms: 10 }),
  ]);
  while (thread.now() < 3_000) await turnOfLoop();
  const cost: Record<string, number> = { small: 2, middle: 5, large: 10 };
  for (const name of names) {
    const used = thread.log.filter((each) => each === name).length * (cost[name] ?? 0);
    assert(used > 960 && used < 1040, `${name} used ${used} of ${thread.now()}`);
  }
  await all;
});

test('every request gets its turn, despite many new accounts', async () => {
  const thread = startThread();
  await flood(thread, of('used much'), { requests: 1, pieces: 1, ms: 50 });
  let isServed = false;
  const old = thread.turns.run(of('used much'), async () => {
    isServed = true;
  });
  let newcomers = 0;
  while (!isServed) {
    newcomers += 1;
    assert(newcomers < 100);
    await flood(thread, of(`new ${newcomers}`), { requests: 1, pieces: 1, ms: 5 });
  }
  await old;
});

test('the source pays for a request without proof, not the organization that it names', async () => {
  const thread = startThread();
  const { turns, work } = thread;
  const forged = Array.from({ length: 50 }, () =>
    turns.run(of('victim', 'thief'), async () => work('forged', 10)),
  );
  await turnOfLoop();
  await turnOfLoop();
  assert((await waited(thread, of('victim', 'home'))) <= 1);
  // Naming many organizations in turn gives no advantage either.
  const named = Array.from({ length: 50 }, (_, i) =>
    turns.run(of(`random ${i}`, 'thief'), async () => work('forged', 10)),
  );
  await turnOfLoop();
  const busy = flood(thread, of('busy'), { requests: 20, pieces: 1, ms: 10 });
  while (thread.log.filter((name) => name === 'busy').length < 10) await turnOfLoop();
  const ofThief = thread.log.slice(thread.log.indexOf('busy')).filter((name) => name === 'forged');
  assert(ofThief.length <= 11, `${ofThief.length} of the thief`);
  await Promise.all([...forged, ...named, busy]);
});

test('strangers share one account, in which each source is charged too', async () => {
  const thread = startThread();
  const { turns, work } = thread;
  const stranger = (source: string): RequestAccount => ({
    account: 'strangers',
    source,
    payer: 'both',
  });
  const many = Array.from({ length: 100 }, (_, i) =>
    turns.run(stranger(`source ${i % 10}`), async () => {
      // The proxy acts as a verified user, but the stranger stays charged.
      turns.chargeTo('parent', 'user of the proxy');
      work('stranger', 10);
    }),
  );
  await turnOfLoop();
  await turnOfLoop();
  assert((await waited(thread, of('parent'))) <= 1);
  const parent = flood(thread, of('parent'), { requests: 40, pieces: 1, ms: 10 });
  while (thread.log.filter((name) => name === 'parent').length < 20) await turnOfLoop();
  const strangers = thread.log.slice(thread.log.indexOf('parent'));
  assert(strangers.filter((name) => name === 'stranger').length <= 21);
  await Promise.all([...many, parent]);
});

test('users of one organization take turns, despite unequal demand', async () => {
  const thread = startThread();
  const { turns, work } = thread;
  const requestOf = (user: string, pieces: number) =>
    turns.run(of('organization'), async () => {
      turns.chargeTo('organization', user);
      for (let piece = 0; piece < pieces; piece += 1) {
        work(user, 10);
        await turns.pause();
      }
    });
  const flooding = Array.from({ length: 100 }, () => requestOf('flooder', 4));
  while (thread.log.length < 50) await turnOfLoop();
  const before = thread.log.length;
  await requestOf('root', 3);
  const since = thread.log.slice(before);
  // The first piece waits among requests of unverified users; the later pieces take turns.
  const proven = since.slice(since.indexOf('root'));
  const ofFlooder = proven
    .slice(0, proven.lastIndexOf('root'))
    .filter((name) => name === 'flooder');
  assert.ok(ofFlooder.length <= 3, `${ofFlooder.length} pieces of the flooder`);
  await Promise.all(flooding);
});

test('a user who used little goes before the busy users of the organization', async () => {
  const thread = startThread();
  const { turns, log, work } = thread;
  const requestOf = (user: string, pieces: number) =>
    turns.run(of('organization', `at ${user}`), async () => {
      // The source is charged until the user is verified.
      for (let piece = 0; piece < pieces; piece += 1) {
        work(user, 10);
        await turns.pause();
        turns.chargeTo('organization', user);
      }
    });
  const busy = Array.from({ length: 80 }, (_, i) => requestOf(`busy ${i % 8}`, 4));
  while (log.length < 80) await turnOfLoop();
  const before = log.length;
  await requestOf('root', 4);
  const others = log.slice(before, log.lastIndexOf('root')).filter((user) => user !== 'root');
  assert.ok(others.length <= 20, `${others.length} pieces of others in a request of four`);
  await Promise.all(busy);
});

test('sources without recent use do not block a user with some use', async () => {
  const thread = startThread();
  const { turns, log, work } = thread;
  const from = (source: string) =>
    turns.run(of('organization', source), async () => work(source, 10));
  for (let i = 0; i < 4; i += 1) await from('root');
  const fresh: Promise<void>[] = [];
  const before = log.length;
  fresh.push(from('first'));
  const root = from('root').then(() => log.length - before);
  let isDone = false;
  void root.then(() => {
    isDone = true;
  });
  for (let i = 0; i < 50 && !isDone; i += 1) {
    fresh.push(from(`fresh ${i}`), from(`more ${i}`));
    await turnOfLoop();
  }
  assert.ok((await root) <= 24, `${await root} pieces`);
  await Promise.all(fresh);
});

test('a pause yields the thread only after some time, and never outside of a request', async () => {
  const thread = startThread();
  const { turns, work } = thread;
  const order: string[] = [];
  const first = turns.run(of('one'), async () => {
    work('short', 0.5);
    await turns.pause();
    order.push('one, after little');
    work('long', 1);
    await turns.pause();
    order.push('one, after much');
  });
  const second = turns.run(of('two'), async () => void order.push('two'));
  await Promise.all([first, second, turns.pause()]);
  assert.deepEqual(order, ['one, after little', 'two', 'one, after much']);
});

test('requests of the only account start at once, and another account waits for one burst', async () => {
  const { turns, work, now } = startThread();
  const begunAt: number[] = [];
  const alone = Array.from({ length: 20 }, () =>
    turns.run(of('alone'), async () => {
      begunAt.push(now());
      work('alone', 1);
    }),
  );
  // Nothing is awaited yet, so these requests ran inside of the call until the burst ended.
  assert.deepEqual(begunAt, [0, 1, 2, 3]);
  assert.equal(begunAt.length, longestBurstMs);
  const other = turns.run(of('other'), async () => now());
  const begun = await other;
  assert(begun <= longestBurstMs + 1, `the other account waited until ${begun}`);
  await Promise.all(alone);
  assert.equal(begunAt.length, 20);
});

test('waiting requests of the only account start together, as many as fit into one burst', async () => {
  const thread = startThread();
  const { turns, log, work } = thread;
  const steps = async (ms: number) => {
    work('first step', ms / 2);
    await undefined;
    work('second step', ms / 2);
  };
  const longestGroup = async (requests: number, ms: number) => {
    log.length = 0;
    const before = thread.now();
    await Promise.all(
      Array.from({ length: requests }, () => turns.run(of('only'), () => steps(ms))),
    );
    assert.equal(thread.now() - before, requests * ms);
    const runs = log.join(' ').match(/(first step ?)+/g) ?? [];
    // The first run started at once, with all requests of the same event loop turn.
    return Math.max(...runs.slice(1).map((run) => run.split('first').length - 1));
  };
  await turns.run(of('only'), async () => work('begins a burst', longestBurstMs));
  assert.equal(await longestGroup(200, 0.25), longestBurstMs / 0.25);
  // Longer requests start in a group of the former size only once.
  await longestGroup(100, 8);
  assert.equal(await longestGroup(100, 8), 1);
});

test('answers may be held while only one account has requests', async () => {
  const { turns, work } = startThread();
  assert.equal(turns.mayHold(), false);
  const alone = Array.from({ length: 20 }, () =>
    turns.run(of('alone'), async () => work('alone', 1)),
  );
  assert.equal(turns.mayHold(), true);
  const other = turns.run(of('other'), async () => work('other', 1));
  assert.equal(turns.mayHold(), false);
  await Promise.all([...alone, other]);
  await turnOfLoop();
  assert.equal(turns.mayHold(), false);
});

test('no answer is held while a second source of the account has a request', async () => {
  const { turns, work } = startThread();
  const busy = Array.from({ length: 20 }, () =>
    turns.run(of('organization', 'busy'), async () => work('busy', 1)),
  );
  assert.equal(turns.mayHold(), true);
  const other = turns.run(of('organization', 'home'), async () => work('home', 1));
  assert.equal(turns.mayHold(), false);
  await Promise.all([...busy, other]);
});

test('failures of the work reach the caller, and idle accounts are deleted', async () => {
  const { turns, work } = startThread();
  await assert.rejects(
    turns.run(of('one'), () => Promise.reject(new Error('of the work'))),
    /of the work/,
  );
  await assert.rejects(
    turns.run(of('one'), () => {
      throw new Error('at once');
    }),
    /at once/,
  );
  for (let i = 0; i < 2 * maximumAccounts; i += 1) {
    await turns.run(of(`account ${i}`), async () => work('once', 1));
  }
});

test('work that waits is charged for its use after the wait', async () => {
  const thread = startThread();
  const { turns, work }: { turns: FairTurns; work: Thread['work'] } = thread;
  const waits = Array.from({ length: 20 }, () =>
    turns.run(of('waits'), async () => {
      turns.chargeTo('waits', 'user');
      await turnOfLoop();
      await turns.pause();
      work('waits', 10);
    }),
  );
  await turnOfLoop();
  await turnOfLoop();
  await turnOfLoop();
  assert((await waited(thread, of('other'))) <= 1);
  await Promise.all(waits);
});

/** Runs requests of one source, each with a piece for every organization in a list. */
function workForMany(
  { turns, work }: Thread,
  source: string,
  { requests, ms }: { requests: number; ms: number },
): Promise<unknown> {
  return Promise.all(
    Array.from({ length: requests }, (_, i) =>
      turns.run(of(`named ${source} ${i}`, source), async () => {
        const release = turns.workFor(`named ${source} ${i}`);
        work(source, ms);
        await turns.pause();
        release();
      }),
    ),
  );
}

test('shared work does not wait for other requests of its source', async () => {
  const thread = startThread();
  const { turns, work, log } = thread;
  const pieces = 10;
  const loading = turns.run(of('organization', 'thief'), async () => {
    const release = turns.workFor('organization');
    for (let piece = 0; piece < pieces; piece += 1) {
      work('work', 2);
      await turns.pause();
    }
    release();
  });
  const forged = Array.from({ length: 500 }, () =>
    turns.run(of('organization', 'thief'), async () => work('forged', 2)),
  );
  await loading;
  const before = log.filter((name) => name === 'forged').length;
  assert(before <= 2 * pieces, `${before} forged requests came first`);
  await Promise.all(forged);
});

test('a source that causes work for many organizations is charged for all of it', async () => {
  const thread = startThread();
  const all = Promise.all([
    workForMany(thread, 'thief', { requests: 1_000, ms: 5 }),
    flood(thread, of('other'), { requests: 1_000, pieces: 1, ms: 5 }),
  ]);
  while (thread.now() < 2_000) await turnOfLoop();
  const used = thread.log.filter((name) => name === 'thief').length * 5;
  assert(used < 1_200, `the thief used ${used} of ${thread.now()}`);
  await all;
});
