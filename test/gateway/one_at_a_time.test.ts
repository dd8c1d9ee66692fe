// A connection carries one request at a time: a pipelined request closes the connection after the running
// answer. Clients that wait for answers never notice.

import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { OverloadedError } from '../../src/gateway/admission/load_limiter.ts';
import { createHttp } from '../../src/gateway/http/http.ts';
import type { HttpServer } from '../../src/gateway/http/options.ts';
import type { AnswerOf, EnclaveMessages } from '../../src/ipc/messages.ts';
import { quietServer } from './http_limits.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;
const okAnswer: Answer = {
  status: 200,
  body: Buffer.from('{"activity":{}}'),
  activityId: undefined,
  organizationId: undefined,
  errorCode: undefined,
  allowedOrigin: undefined,
};
const largeAnswer: Answer = { ...okAnswer, body: Buffer.alloc(16_000_000, ' ') };

let server: HttpServer;
let port = 0;
const seen = { asked: 0, ended: 0, places: 0 };
let refusal: OverloadedError | undefined;
let answerOf = async (): Promise<Answer> => okAnswer;
const sockets = new Set<Socket>();

before(async () => {
  const load: NonNullable<typeof quietServer.load> = {
    refusal: () => refusal,
    begin: () => ({ id: 1, end: () => {} }),
    enclaveUsed: () => {},
    openAccount: () => ({
      takeFromStrangers: () => {},
      hold: () => {},
      holdAnswer: () => {},
      close: () => {},
    }),
  };
  server = createHttp({
    ...quietServer,
    load,
    ask: () => {
      seen.asked += 1;
      return answerOf();
    },
    metrics: {
      ...quietServer.metrics,
      admissionRefused: (reason) => {
        if (reason === 'pipelined') seen.ended += 1;
      },
    },
    limits: { ...quietServer.limits, bodyLimitBytes: 1_000_000, bodyMemoryBytes: 100_000_000 },
  });
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await server.drain(0);
});

function open(): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.add(socket);
  socket.on('error', () => undefined);
  return socket;
}

/** Writes the parts; returns everything that was received until the connection ended. */
async function answersTo(...parts: readonly string[]): Promise<string> {
  const socket = open();
  let received = '';
  socket.on('data', (data) => {
    received += String(data);
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  return received;
}

const path = '/public/v1/query/whoami';
const head = (...headers: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: a', 'X-Stamp: a', ...headers, '', ''].join('\r\n');
const post = `${head('Content-Length: 5')}first`;
const chunked = `${head('Transfer-Encoding: chunked')}5\r\nfirst\r\n0\r\n\r\n`;
const get = 'GET /health/live HTTP/1.1\r\n\r\n';
const countOf = (text: string) => text.match(/HTTP\/1\.1 \d/g)?.length ?? 0;

describe('a second request ends the connection after the first answer', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['behind a request without a body', [get.repeat(2)]],
    ['3,000 times in one piece', [get.repeat(3_000)]],
    ['behind a body', [post + post]],
    ['behind a body in chunks', [chunked + post]],
    [
      'when the headers of the first came in two pieces',
      [post.slice(0, 70), post.slice(70) + post],
    ],
    ['when the end of headers came in two pieces', [get.slice(0, -1), `\n${get.repeat(100)}`]],
    ['when the body came by itself', [post.slice(0, -5), `first${post}`]],
    ['when the body ends in a piece with many', [post.slice(0, -2), `st${get.repeat(500)}`]],
    ['behind an empty line', [`${post}\r\n${post}`]],
  ];
  for (const [name, parts] of rows) {
    test(name, async () => {
      const before = seen.ended;
      const answers = await answersTo(...parts);
      assert.equal(countOf(answers), 1, answers);
      assert.equal(seen.ended, before + 1);
    });
  }

  test('which is still sent in full, even if it is late and large', async () => {
    const release = Promise.withResolvers<Answer>();
    answerOf = () => release.promise;
    const asked = seen.asked;
    const pending = answersTo(post, post);
    while (seen.asked === asked) await new Promise((resolve) => setImmediate(resolve));
    release.resolve(largeAnswer);
    const answers = await pending;
    answerOf = async () => okAnswer;
    assert.equal(countOf(answers), 1);
    assert.match(answers.slice(0, 1_000), /connection: close/i);
    assert.ok(answers.length > largeAnswer.body.length);
    assert.equal(seen.asked, asked + 1);
  });

  test('and the enclave is not asked while an answer is not taken', async () => {
    answerOf = async () => largeAnswer;
    const asked = seen.asked;
    const ended = seen.ended;
    const socket = open().pause();
    socket.write(post);
    while (seen.asked === asked) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 10; i += 1) socket.write(post);
    while (seen.ended === ended) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(seen.asked, asked + 1);
    answerOf = async () => okAnswer;
    socket.destroy();
  });
});

describe('a client that waits for its answers keeps its connection', () => {
  test('over hundreds of requests of each kind, with every HTTP client of Node', async () => {
    const ended = seen.ended;
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const local = new Set<number | undefined>();
    const send = (body: string, headers: Readonly<Record<string, string>>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = httpRequest({
          port,
          host: '127.0.0.1',
          path,
          method: 'POST',
          agent,
          headers: { 'x-stamp': 'a', ...headers },
        });
        sent.once('error', reject);
        sent.once('response', (response) => {
          local.add(response.socket.localPort);
          response.resume().once('end', () => resolve(response.statusCode));
        });
        sent.end(body);
      });
    const kinds = [
      () => send('{}', { 'content-length': '2' }),
      () => send('x'.repeat(200_000), { 'content-length': '200000' }),
      () => send(`a\r\n\r\nb\r\n\r\n${'c'.repeat(5_000)}`, { 'transfer-encoding': 'chunked' }),
    ];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 30; i += 1) assert.equal(await kinds[i % kinds.length]?.(), 200);
      }),
    );
    assert.equal(local.size, 8);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 30; i += 1) {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
            method: 'POST',
            headers: { 'x-stamp': 'a' },
            body: 'x'.repeat(i * 500),
          });
          await answer.arrayBuffer();
          assert.equal(answer.status, 200);
        }
      }),
    );
    agent.destroy();
    assert.equal(seen.ended, ended);
  });

  test('that sends its next request in one piece with the rest of a body refused early', async () => {
    const ended = seen.ended;
    const socket = open();
    let received = '';
    const answered = async (count: number): Promise<void> => {
      while (countOf(received) < count) await new Promise((resolve) => setImmediate(resolve));
    };
    socket.on('data', (data) => {
      received += String(data);
    });
    refusal = new OverloadedError(0, 'places');
    socket.write(`${head('Content-Length: 5000')}${'x'.repeat(10)}`);
    await answered(1);
    refusal = undefined;
    socket.write(`${'x'.repeat(4_990)}${post}`);
    await answered(2);
    socket.write(post);
    await answered(3);
    assert.equal(seen.ended, ended);
    socket.destroy();
  });

  test('that sends each request as the last byte of the answer comes, for a large one', async () => {
    answerOf = async () => largeAnswer;
    const ended = seen.ended;
    const socket = open();
    let bytes = 0;
    let answers = 0;
    let oneAnswer = 0;
    const done = Promise.withResolvers<void>();
    socket.on('data', (data) => {
      if (bytes === 0) oneAnswer = String(data).indexOf('\r\n\r\n') + 4 + largeAnswer.body.length;
      bytes += data.length;
      if (bytes < (answers + 1) * oneAnswer) return;
      answers += 1;
      if (answers === 5) done.resolve();
      else socket.write(post);
    });
    socket.write(post);
    await done.promise;
    assert.equal(bytes, 5 * oneAnswer);
    assert.equal(seen.ended, ended);
    answerOf = async () => okAnswer;
  });
});
