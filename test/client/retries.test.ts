// Repeated requests: the same bytes, a few times, and never after the caller stopped waiting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  Refused,
  RequestFailed,
  type Stamp,
  Unreachable,
} from '../../src/client/index.ts';

let stamps = 0;
const stamp: Stamp = {
  header: async () => {
    stamps += 1;
    return { name: 'X-Stamp', value: `stamp ${stamps}` };
  },
};

type Answer = Response | Error;

/** Creates a client that gets these answers one after the other, and records its requests and pauses. */
function clientWith(answers: readonly (() => Answer)[]) {
  const sent: string[] = [];
  const pauses: number[] = [];
  const client = connect({
    url: 'http://service.test',
    organizationId: '00000000-0000-0000-0000-000000000000',
    stamp,
    now: () => 1,
    pause: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
    fetch: async (_, init) => {
      init?.signal?.throwIfAborted();
      const answer = answers[Math.min(sent.length, answers.length - 1)]?.();
      sent.push(JSON.stringify([init?.headers, init?.body]));
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { client, sent, pauses };
}

const good = () => Response.json({ wallets: [] });
const busy = (status: number, retryAfter?: string) => () =>
  Response.json(
    { message: 'later', turnkeyErrorCode: 'RATE_LIMITED' },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );
const broken = () => new TypeError('fetch failed');

test('the same bytes under the same stamp are sent until an answer comes', async () => {
  const { client, sent, pauses } = clientWith([broken, busy(503), busy(502), good]);
  assert.deepEqual(await client.query('list_wallets'), { wallets: [] });
  assert.equal(sent.length, 4);
  assert.equal(new Set(sent).size, 1);
  assert.equal(pauses.length, 3);
  assert(
    pauses.every((ms, i) => ms > (pauses[i - 1] ?? 0)),
    `they grow: ${pauses}`,
  );
});

test('a service that names its time is asked again then, unless that is far away', async () => {
  const { client, pauses } = clientWith([busy(429, '7'), good]);
  await client.query('list_wallets');
  assert.deepEqual(pauses, [7000]);

  const far = clientWith([busy(429, '3600'), good]);
  await assert.rejects(far.client.query('list_wallets'), (error) => {
    assert(error instanceof RequestFailed);
    assert.equal(error.status, 429);
    assert.match(error.next, /same bytes/);
    return true;
  });
  assert.equal(far.sent.length, 1);
});

test('tries are bounded, and what was sent can be sent again by hand', async () => {
  const { client, sent } = clientWith([broken]);
  await assert.rejects(client.submit('delete_policy', { policyId: 'id' }), (error) => {
    assert(error instanceof Unreachable);
    assert.equal(error.request.method, 'POST');
    assert.equal(JSON.stringify([error.request.headers, error.request.body]), sent[0]);
    assert(!JSON.stringify(error).includes('stamp'), 'a log of the error has no stamp');
    return true;
  });
  assert.equal(sent.length, 5);
  const unavailable = clientWith([busy(503)]);
  await assert.rejects(unavailable.client.query('list_wallets'), RequestFailed);
  assert.equal(unavailable.sent.length, 5);
});

test('the client does not repeat a request that the service refused', async () => {
  for (const status of [400, 401, 403, 404, 409, 500]) {
    const { client, sent } = clientWith([busy(status)]);
    await assert.rejects(
      client.query('list_wallets'),
      (error) => error instanceof (status === 403 ? Refused : RequestFailed),
    );
    assert.equal(sent.length, 1);
  }
});

test('a caller who stops waiting is told so by the reason that it gave', async () => {
  const { client, sent } = clientWith([broken]);
  const reason = new Error('enough');
  await assert.rejects(
    client.query('list_wallets', {}, { signal: AbortSignal.abort(reason) }),
    (error) => error === reason,
  );
  assert.equal(sent.length, 0);
});

test('a page that ended early leads to the next by its cursor, also without rows', async () => {
  const answers = [
    { organizationIds: ['a'], truncated: true, nextCursor: 'c' },
    { organizationIds: [], truncated: true, nextCursor: 'e' },
    { organizationIds: ['f'] },
  ];
  const { client, sent } = clientWith(answers.map((each) => () => Response.json(each)));
  const rows = await Array.fromAsync(client.pages('list_verified_suborgs'));
  assert.deepEqual(rows, ['a', 'f']);
  assert.deepEqual(
    sent.map((each) => /\\"after\\":\\"(.)/.exec(each)?.[1]),
    [undefined, 'c', 'e'],
  );
});

test('pages of something else are no answer', async () => {
  for (const text of ['<html>', '', '[]', 'null', '"text"']) {
    const { client } = clientWith([() => new Response(text)]);
    await assert.rejects(client.query('list_wallets'), Unreachable);
  }
});

test('an answer without end is read up to a bound, in each try', async () => {
  let read = 0;
  const pieceBytes = 8 * 1024 * 1024;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          read += 1;
          controller.enqueue(new Uint8Array(pieceBytes).fill(0x20));
        },
      }),
    );
  const { client, sent } = clientWith([endless, good]);
  assert.deepEqual(await client.query('list_wallets'), { wallets: [] });
  assert.equal(sent.length, 2);
  // 64 MiB, the chunk that exceeds them, and chunks that the stream reads ahead.
  assert.ok(read <= 11, String(read));
});

test('an answer is read whole if a character arrives in two pieces, after a byte order mark', async () => {
  const bytes = Buffer.from('\ufeff{"wallets":["Zürich 🐟"]}');
  const pieces = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      }),
    );
  const { client } = clientWith([pieces]);
  assert.deepEqual(await client.query('list_wallets'), { wallets: ['Zürich 🐟'] });
});
