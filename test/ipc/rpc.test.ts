import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { ErrorCode } from '../../src/core/errors/errors.ts';
import { fail, ServiceError } from '../../src/core/errors/errors.ts';
import { bytes, encode, nothing, number, text } from '../../src/ipc/codec.ts';
import type { Handlers, LinkLog } from '../../src/ipc/message_table.ts';
import type { LinkOptions } from '../../src/ipc/rpc.ts';
import { createLink, linkLimits } from '../../src/ipc/rpc.ts';
import { streamChannel } from '../../src/ipc/stream_channel.ts';
import { peerMessages } from './link_peer.ts';
import { memoryChannels } from './memory_channel.ts';

const left = { ping: { request: text, answer: text }, wait: { request: nothing, answer: text } };
const right = { add: { request: number, answer: number }, echo: { request: bytes, answer: bytes } };
const leftHandlers: Handlers<typeof left> = { ping: (value) => `${value}!`, wait: () => 'done' };
const rightHandlers: Handlers<typeof right> = {
  add: (value) => value + 1,
  echo: async (value) => value,
};
const quiet: LinkLog = () => {};
type Limits = Partial<typeof linkLimits>;

/** Creates a left end that calls `right`, and a right end that calls `left`. */
function pair(
  options: {
    leftHandlers?: Handlers<typeof left>;
    rightHandlers?: Handlers<typeof right>;
    log?: LinkLog;
    limits?: Limits;
  } = {},
) {
  const [leftChannel, rightChannel] = memoryChannels();
  const common = { log: options.log ?? quiet, limits: options.limits ?? {} };
  const leftLink = createLink({
    ...common,
    channel: leftChannel,
    calls: right,
    serves: left,
    handlers: options.leftHandlers ?? leftHandlers,
    closedCode: 'enclave_unavailable',
  });
  const rightLink = createLink({
    ...common,
    channel: rightChannel,
    calls: left,
    serves: right,
    handlers: options.rightHandlers ?? rightHandlers,
    closedCode: 'store_unavailable',
  });
  return { leftLink, rightLink, leftChannel, rightChannel };
}

/** Creates one end, and a function that feeds raw bytes to it. */
function alone(overrides: Partial<LinkOptions<typeof right, typeof left>> = {}) {
  const [channel, other] = memoryChannels();
  const answered: Buffer[] = [];
  other.onData((chunk) => answered.push(Buffer.from(chunk)));
  const link = createLink({
    channel,
    calls: right,
    serves: left,
    handlers: leftHandlers,
    closedCode: 'enclave_unavailable',
    log: quiet,
    ...overrides,
  });
  return {
    link,
    feed: (chunk: Uint8Array) => other.write(chunk, () => undefined),
    answered,
    other,
  };
}

function frame(kind: number, correlation: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(9);
  header.writeUInt32BE(5 + payload.length, 0);
  header.writeUInt8(kind, 4);
  header.writeUInt32BE(correlation, 5);
  return Buffer.concat([header, payload]);
}

const request = (number: number, correlation: number, payload: Uint8Array) =>
  frame(0, correlation, Buffer.concat([Buffer.of(number), payload]));
/** Waits for two turns: handlers run in the first, and their answers are written after the second. */
async function turn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => setImmediate(resolve));
}

const refusal = (code: ErrorCode) => (error: unknown) =>
  error instanceof ServiceError && error.code === code;

describe('link', () => {
  test('both sides call and answer', async () => {
    const { leftLink, rightLink } = pair();
    assert.equal(await leftLink.call('add', 41), 42);
    assert.equal(await rightLink.call('ping', 'a'), 'a!');
    assert.deepEqual(await leftLink.call('echo', Uint8Array.of(1, 2)), Uint8Array.of(1, 2));
  });

  test('answers find their calls in any order', async () => {
    const waiting: { value: number; resolve: (value: number) => void }[] = [];
    const { leftLink } = pair({
      rightHandlers: {
        ...rightHandlers,
        add: (value) => new Promise((resolve) => waiting.push({ value, resolve })),
      },
    });
    const calls = [1, 2, 3].map((value) => leftLink.call('add', value));
    while (waiting.length < 3) await turn();
    for (const { value, resolve } of waiting.toReversed()) resolve(value * 10);
    assert.deepEqual(await Promise.all(calls), [10, 20, 30]);
  });

  test('frames of one turn leave in one write', async () => {
    const { leftLink, leftChannel, rightChannel } = pair();
    const calls = [1, 2, 3].map((value) => leftLink.call('add', value));
    assert.equal(leftChannel.sent.length, 0);
    await Promise.all(calls);
    assert.equal(leftChannel.sent.length, 1);
    assert.equal(rightChannel.sent.length, 1);
  });

  test('four frames leave without waiting for the others of their turn', async () => {
    const { leftLink, leftChannel, rightChannel } = pair();
    const calls = [1, 2, 3, 4, 5].map((value) => leftLink.call('add', value));
    assert.equal(leftChannel.sent.length, 1);
    assert.deepEqual(await Promise.all(calls), [2, 3, 4, 5, 6]);
    assert.equal(leftChannel.sent.length, 2);
    assert.equal(rightChannel.sent.length, 2);
  });

  test('bytes of a sent chunk do not appear in a later chunk', async () => {
    const { leftLink, leftChannel } = pair();
    await leftLink.call('echo', Buffer.from('x'.repeat(2000)));
    await leftLink.call('echo', Buffer.from('y'));
    const [long, short] = leftChannel.sent;
    assert.match(Buffer.from(long ?? []).toString('latin1'), /x{2000}/);
    assert.doesNotMatch(Buffer.from(short ?? []).toString('latin1'), /x/);
  });

  test('frames arrive whole however they are cut', async () => {
    const anyCuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(anyCuts, fc.array(fc.string(), { maxLength: 8 }), async (cuts, values) => {
        const { feed, answered } = alone();
        const stream = Buffer.concat(values.map((value, i) => request(0, i, encode(text, value))));
        for (let offset = 0, i = 0; offset < stream.length; i += 1) {
          const length = cuts[i % cuts.length] ?? 1;
          feed(stream.subarray(offset, offset + length));
          offset += length;
        }
        await turn();
        const expected = values.map((value, i) => frame(1, i, encode(text, `${value}!`)));
        assert.deepEqual(Buffer.concat(answered), Buffer.concat(expected));
      }),
    );
  });

  test('only overloaded and store_unavailable keep their code; the rest is told to the log', async () => {
    const logged: string[] = [];
    const thrown: Record<number, () => never> = {
      0: () => fail('overloaded'),
      1: () => fail('store_unavailable'),
      2: () => fail('not_permitted'),
      3: () => {
        throw new Error('the secret reason');
      },
    };
    const { leftLink, rightChannel } = pair({
      rightHandlers: { ...rightHandlers, add: (value) => thrown[value]?.() ?? 0 },
      log: (_level, _message, fields) => logged.push(JSON.stringify(fields)),
    });
    await assert.rejects(leftLink.call('add', 0), refusal('overloaded'));
    await assert.rejects(leftLink.call('add', 1), refusal('store_unavailable'));
    assert.equal(logged.length, 0);
    await assert.rejects(leftLink.call('add', 2), refusal('internal'));
    await assert.rejects(leftLink.call('add', 3), refusal('internal'));
    assert.match(logged[1] ?? '', /the secret reason/);
    assert.match(logged[1] ?? '', /"request":"add"/);
    assert.doesNotMatch(Buffer.concat(rightChannel.sent).toString('latin1'), /secret/);
  });

  test('a code that may not cross becomes internal', async () => {
    const { link, feed } = alone();
    const call = link.call('add', 1);
    await turn();
    feed(frame(2, 1, encode(text, 'not_permitted')));
    await assert.rejects(call, refusal('internal'));
  });

  test('an unknown message is answered with an error and the link goes on', async () => {
    const { feed, answered } = alone();
    feed(request(7, 3, new Uint8Array()));
    feed(request(0, 4, encode(text, 'b')));
    await turn();
    assert.deepEqual(
      Buffer.concat(answered),
      Buffer.concat([frame(2, 3, encode(text, 'internal')), frame(1, 4, encode(text, 'b!'))]),
    );
  });

  test('a request that cannot be read is answered with an error', async () => {
    const { feed, answered } = alone();
    feed(request(0, 5, Buffer.from('ffffffff', 'hex')));
    await turn();
    assert.deepEqual(Buffer.concat(answered), frame(2, 5, encode(text, 'internal')));
  });

  const tooLong = Buffer.alloc(4);
  tooLong.writeUInt32BE(linkLimits.frameBytes + 1);
  const breaches: Record<string, Buffer> = {
    'an answer nobody asked for': frame(1, 9, encode(text, 'x')),
    'an error nobody asked for': frame(2, 9, encode(text, 'overloaded')),
    'an unknown kind of frame': frame(3, 1, new Uint8Array()),
    'an answer that cannot be read': frame(1, 1, Buffer.of(1)),
    'a second answer': Buffer.concat([
      frame(1, 1, encode(number, 1)),
      frame(1, 1, encode(number, 1)),
    ]),
    'a frame without a header': Buffer.from('00000000', 'hex'),
    'a frame that is too long': tooLong,
  };
  for (const [name, bytesOfBreach] of Object.entries(breaches)) {
    test(`closes on ${name}`, async () => {
      const { link, feed } = alone();
      const calls = [link.call('add', 1), link.call('add', 2)];
      const settled = Promise.allSettled(calls);
      await turn();
      feed(bytesOfBreach);
      assert.match(await link.closed, /malformed frame/);
      const second = (await settled)[1];
      assert.ok(second?.status === 'rejected' && refusal('enclave_unavailable')(second.reason));
    });
  }

  test('arbitrary bytes never throw out of the link', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 60 })), async (chunks) => {
        const { link, feed } = alone();
        for (const chunk of chunks) feed(chunk);
        await turn();
        link.close();
      }),
    );
  });

  test('calls are refused when too many wait, when too much is queued, and after the end', async () => {
    const few = pair({
      rightHandlers: { ...rightHandlers, add: () => new Promise(() => {}) },
      limits: { calls: 2 },
    });
    const waiting = Promise.allSettled([few.leftLink.call('add', 1), few.leftLink.call('add', 2)]);
    await assert.rejects(few.leftLink.call('add', 3), refusal('overloaded'));
    few.leftChannel.close();
    const reasons = (await waiting).map((result) => result.status);
    assert.deepEqual(reasons, ['rejected', 'rejected']);
    await assert.rejects(few.leftLink.call('add', 4), refusal('enclave_unavailable'));
    await assert.rejects(few.rightLink.call('ping', ''), refusal('store_unavailable'));

    const small = pair({ limits: { queuedBytes: 100 } });
    const first = small.leftLink.call('echo', new Uint8Array(200));
    await assert.rejects(small.leftLink.call('add', 3), refusal('overloaded'));
    assert.equal((await first).length, 200);
    assert.equal(await small.leftLink.call('add', 3), 4);
  });

  test('requests beyond the bound are answered with overloaded', async () => {
    const release = Promise.withResolvers<number>();
    const { leftLink } = pair({
      rightHandlers: { ...rightHandlers, add: () => release.promise },
      limits: { served: 1 },
    });
    const first = leftLink.call('add', 1);
    await assert.rejects(leftLink.call('add', 2), refusal('overloaded'));
    release.resolve(7);
    assert.equal(await first, 7);
    assert.equal(await leftLink.call('add', 2), 7);
  });

  test('a request or an answer that fits no frame is refused where it is made', async () => {
    const { leftLink } = pair({
      rightHandlers: { ...rightHandlers, echo: () => new Uint8Array(2_000) },
      limits: { frameBytes: 1_000 },
    });
    await assert.rejects(leftLink.call('echo', new Uint8Array(2_000)), refusal('answer_too_large'));
    await assert.rejects(leftLink.call('echo', new Uint8Array(1)), refusal('answer_too_large'));
    assert.equal(await leftLink.call('add', 1), 2);
  });

  test('a received chunk is overwritten', async () => {
    let chunk = new Uint8Array();
    const [channel] = memoryChannels();
    createLink({
      channel: {
        ...channel,
        onData: (receive) => {
          chunk = Uint8Array.from(request(0, 1, encode(text, 'secret')));
          receive(chunk);
        },
      },
      calls: right,
      serves: left,
      handlers: leftHandlers,
      closedCode: 'enclave_unavailable',
      log: quiet,
    });
    assert.deepEqual(chunk, new Uint8Array(chunk.length));
  });

  test('closing sends first what was queued', async () => {
    const { leftLink, leftChannel } = pair();
    const call = leftLink.call('add', 1);
    leftLink.close();
    await assert.rejects(call, refusal('enclave_unavailable'));
    assert.equal(leftChannel.sent.length, 1);
    assert.equal(await leftLink.closed, 'closed by this side');
  });
});

describe('link over the pipes of a child process', () => {
  const startPeer = () => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('link_peer.ts', import.meta.url))],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const link = createLink({
      channel: streamChannel(child.stdout, child.stdin),
      calls: peerMessages,
      serves: left,
      handlers: leftHandlers,
      closedCode: 'enclave_unavailable',
      log: quiet,
    });
    return { child, link };
  };

  test('small and large messages, many at once', async () => {
    const { child, link } = startPeer();
    const large = new Uint8Array(5_000_000).fill(3);
    const calls = Array.from({ length: 200 }, (_, i) => link.call('reverse', Uint8Array.of(i, 1)));
    assert.deepEqual(await link.call('reverse', large), large);
    for (const [i, answer] of (await Promise.all(calls)).entries()) {
      assert.deepEqual(answer, Uint8Array.of(1, i));
    }
    const exited = new Promise((resolve) => child.once('exit', resolve));
    link.close();
    assert.equal(await exited, 0);
  });

  test('calls are refused when the process dies', async () => {
    const { child, link } = startPeer();
    await link.call('reverse', Uint8Array.of(1));
    const call = link.call('never', undefined);
    child.kill('SIGKILL');
    await assert.rejects(call, refusal('enclave_unavailable'));
    assert.equal(await link.closed, 'the channel was closed');
  });
});
