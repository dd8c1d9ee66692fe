// Requests that pass through the request line, and disconnected clients whose requests are dropped.

import assert from 'node:assert/strict';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import type { RequestLine } from '../../src/gateway/admission/request_line.ts';
import { beginInTurn } from '../../src/gateway/http/begin_in_turn.ts';

type Entered = Parameters<RequestLine['enter']>[0];

/** Starts a server whose line holds all requests until the test starts them. */
function startServer() {
  const passed: string[] = [];
  const entered: Entered[] = [];
  const refused: string[] = [];
  const state = { isFull: false };
  const server = createServer((request) => passed.push(request.url ?? ''));
  beginInTurn(server, {
    line: { enter: (request) => !state.isFull && entered.push(request) > 0 },
    knownKeys: { isTrusted: (source, headers) => source === 'a' && headers[0]?.value === 'key' },
    sourceOf: () => 'a',
    refuse: (request) => refused.push(request.url ?? ''),
  });
  const request = (method: string, url: string, rawHeaders: string[] = []) => {
    const socket = new Socket();
    const message = new IncomingMessage(socket);
    Object.assign(message, { method, url, rawHeaders });
    const response = new ServerResponse(message);
    server.emit('request', message, response);
    return { socket, response };
  };
  return { passed, entered, refused, state, request };
}

test('calls wait for their turn, other requests do not', () => {
  const { passed, entered, request } = startServer();
  for (const path of ['/health/ready', '/openapi.json']) request('GET', path);
  request('POST', '/dev/inbox');
  assert.equal(passed.length, 3);
  const calls = ['/public/v1/submit/x', '/public/v1/query/x?a=b', '/v1/signup_v2'];
  for (const path of calls) request('POST', path);
  assert.equal(passed.length, 3);
  for (const { begin } of entered) begin();
  assert.deepEqual(passed.slice(3), calls);
});

test('the key of the headers decides if a call is trusted', () => {
  const { entered, request } = startServer();
  request('POST', '/public/v1/submit/x', ['X-Stamp', 'key']);
  request('POST', '/public/v1/submit/x', ['X-Stamp', 'other']);
  request('POST', '/v1/signup_v2');
  assert.deepEqual(
    entered.map(({ isOfTrustedKey }) => isOfTrustedKey()),
    [true, false, false],
  );
});

test('a call whose client disconnects while it waits does not start', () => {
  const { passed, entered, request } = startServer();
  const { socket } = request('POST', '/public/v1/submit/x');
  const [call] = entered;
  socket.destroy();
  call?.begin();
  let ends = 0;
  call?.onceEnded(() => {
    ends += 1;
  });
  assert.deepEqual([passed, ends], [[], 1]);
});

test('a call ends when its answer is closed', () => {
  const { entered, request } = startServer();
  const { response } = request('POST', '/public/v1/submit/x');
  let ends = 0;
  entered[0]?.onceEnded(() => {
    ends += 1;
  });
  assert.equal(ends, 0);
  response.emit('close');
  assert.equal(ends, 1);
});

test('a call without room in the line is refused', () => {
  const { passed, refused, state, request } = startServer();
  state.isFull = true;
  request('POST', '/public/v1/submit/x');
  request('GET', '/health/ready');
  assert.deepEqual([refused, passed], [['/public/v1/submit/x'], ['/health/ready']]);
});
