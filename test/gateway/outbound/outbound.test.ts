import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import { outboundLimits } from '../../../src/gateway/outbound/limits.ts';
import { createOutbound } from '../../../src/gateway/outbound/outbound.ts';
import type { OutboundAnswer, OutboundFailure } from '../../../src/gateway/outbound/request.ts';
import {
  closed,
  get,
  httpServer,
  outboundOf,
  pour,
  recorder,
  stoppedClock,
  tcpServer,
} from './loopback.ts';
import { goodUrls, hostileAddresses, hostileUrls } from './url_corpus.ts';

const publicAddress = '93.184.216.34';
const toPublic = async (): Promise<string[]> => [publicAddress];

function answered(sent: OutboundAnswer | OutboundFailure): OutboundAnswer {
  assert.ok(!('failure' in sent), JSON.stringify(sent));
  return sent;
}

function failureOf(sent: OutboundAnswer | OutboundFailure): string {
  return 'failure' in sent ? sent.failure : `status ${sent.status}`;
}

const textOf = (answer: OutboundAnswer): string | undefined => textOfUtf8(answer.body);

test('no hostile URL is dialled or even resolved', async (t) => {
  const asked: string[] = [];
  const { dials, connect } = recorder(1);
  const lookup = async (host: string): Promise<string[]> => {
    asked.push(host);
    return [publicAddress];
  };
  const outbound = outboundOf(t, { connect, lookup });
  for (const url of hostileUrls) {
    assert.equal(failureOf(await outbound.send(get(url))), 'refused_target', url);
  }
  assert.deepEqual({ dials, asked }, { dials: [], asked: [] });
});

test('every valid URL is dialled at its checked address', async (t) => {
  const port = await httpServer(t, (_request, response) => response.end('ok'));
  const { dials, connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: toPublic });
  for (const url of goodUrls)
    assert.equal(failureOf(await outbound.send(get(url))), 'status 200', url);
  assert.ok(dials.length > 0);
  for (const { address, host, isSecure } of dials) {
    assert.equal(isSecure, true);
    assert.ok(address === publicAddress || address === host, `${address} for ${host}`);
  }
});

test('one private address refuses a name, at any position of the answer', async (t) => {
  const { dials, connect } = recorder(1);
  let addresses: string[] = [];
  const outbound = outboundOf(t, { connect, lookup: async () => addresses });
  for (const hostile of hostileAddresses) {
    for (addresses of [[hostile], [publicAddress, hostile], [hostile, '2606:4700::1']]) {
      const sent = await outbound.send(get('https://rebinding.example/'));
      assert.equal(failureOf(sent), 'refused_target', hostile);
    }
  }
  assert.deepEqual(dials, []);
});

test('a name that changes its address is checked anew, and resolved once for each request', async (t) => {
  const port = await httpServer(t, (_request, response) => response.end('ok'));
  const { dials, connect } = recorder(port);
  const answers = [[publicAddress], ['127.0.0.1'], ['8.8.8.8'], ['169.254.169.254']];
  const outbound = outboundOf(t, {
    connect,
    lookup: async () => answers.shift() ?? assert.fail('asked once too often'),
  });
  const outcomes: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    outcomes.push(failureOf(await outbound.send(get('https://rebinding.example/'))));
  }
  assert.deepEqual(outcomes, ['status 200', 'refused_target', 'status 200', 'refused_target']);
  assert.deepEqual(
    dials.map(({ address }) => address),
    [publicAddress, '8.8.8.8'],
  );
});

test('an open connection serves no other name and no other address', async (t) => {
  const connections = new Set<Socket>();
  const port = await httpServer(t, (request, response) => {
    connections.add(request.socket);
    response.end('ok');
  });
  const { dials, connect } = recorder(port);
  let addresses = [publicAddress];
  const outbound = outboundOf(t, { connect, lookup: async () => addresses });
  const send = async (url: string): Promise<void> => {
    assert.equal(failureOf(await outbound.send(get(url))), 'status 200');
  };
  await send('https://one.example/');
  await send('https://one.example/again');
  assert.equal(dials.length, 1);
  await send('https://two.example/');
  assert.equal(dials.length, 2);
  addresses = ['8.8.8.8'];
  await send('https://one.example/');
  assert.equal(dials.length, 3);
  assert.equal(connections.size, 3);
});

test('the request contains the name, its own headers and the body', async (t) => {
  const seen: { request?: IncomingMessage; body?: string } = {};
  const port = await httpServer(t, async (request, response) => {
    seen.request = request;
    seen.body = (await request.toArray()).join('');
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.writeHead(201, { 'x-answer': 'yes' }).end('made');
  });
  const { connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: toPublic });
  const sent = await outbound.send(
    get('https://Hooks.example:8443/in?a=b#c', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': 's' },
      body: utf8('{"a":"ü"}'),
    }),
  );
  const answer = answered(sent);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers['x-answer'], 'yes');
  assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
  assert.equal(textOf(answer), 'made');
  assert.equal(seen.request?.method, 'POST');
  assert.equal(seen.request?.url, '/in?a=b');
  assert.equal(seen.body, '{"a":"ü"}');
  const {
    host,
    'content-length': length,
    'accept-encoding': encoding,
  } = seen.request?.headers ?? {};
  assert.deepEqual(
    { host, length, encoding },
    { host: 'hooks.example:8443', length: '10', encoding: 'identity' },
  );
  assert.equal(seen.request?.headers['x-signature'], 's');
});

test('callers cannot set headers that frame the request', async (t) => {
  const { dials, connect } = recorder(1);
  const outbound = outboundOf(t, { connect, lookup: toPublic });
  for (const name of [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Accept-Encoding',
  ]) {
    await assert.rejects(outbound.send(get('https://a.example/', { headers: { [name]: 'x' } })));
  }
  await assert.rejects(
    outbound.send(get('https://a.example/', { headers: { x: 'a\r\nhost: b' } })),
  );
  assert.deepEqual(dials, []);
});

test('a redirect is an answer', async (t) => {
  let count = 0;
  const port = await httpServer(t, (_request, response) => {
    count += 1;
    response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end();
  });
  const { dials, connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: toPublic });
  const answer = answered(await outbound.send(get('https://a.example/')));
  assert.equal(answer.status, 302);
  assert.equal(answer.headers['location'], 'http://127.0.0.1:1/secret');
  assert.deepEqual([count, dials.length], [1, 1]);
});

test('a compressed body is returned unchanged', async (t) => {
  const compressed = Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]);
  const port = await httpServer(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(compressed);
  });
  const outbound = outboundOf(t, { allowPrivateTargets: true });
  const answer = answered(await outbound.send(get(`http://127.0.0.1:${port}/`)));
  assert.deepEqual([...answer.body], [...compressed]);
});

test('a body of exactly the limit is accepted, and one byte more is not', async (t) => {
  const port = await httpServer(t, (request, response) => {
    const length = Number(request.url?.slice(1));
    // Without an announced length, so that the bytes themselves are counted.
    response.flushHeaders();
    response.end(Buffer.alloc(length));
  });
  const outbound = outboundOf(t, { allowPrivateTargets: true });
  const send = (length: number): Promise<OutboundAnswer | OutboundFailure> =>
    outbound.send(get(`http://127.0.0.1:${port}/${length}`));
  assert.equal(answered(await send(0)).body.length, 0);
  assert.equal(answered(await send(1000)).body.length, 1000);
  assert.equal(failureOf(await send(1001)), 'too_large');
});

const status = 'HTTP/1.1 200 OK\r\n';
const longLine = `x: ${'y'.repeat(1000)}\r\n`;
/** The bytes that a server sends first, the bytes that it repeats, and the failure. */
const floods: Readonly<Record<string, readonly [first: string, more: string, failure: string]>> = {
  'an endless body': [`${status}\r\n`, 'x'.repeat(1000), 'too_large'],
  'endless chunks': [
    `${status}transfer-encoding: chunked\r\n\r\n`,
    '1\r\nx\r\n'.repeat(200),
    'too_large',
  ],
  'a body announced as too large': [
    `${status}content-length: 1001\r\n\r\n`,
    'x'.repeat(1000),
    'too_large',
  ],
  'endless headers': [status, longLine, 'too_large'],
  'one endless header': [`${status}x: `, 'y'.repeat(1000), 'too_large'],
  'an endless reason': ['HTTP/1.1 200 ', 'y'.repeat(1000), 'too_large'],
  'endless trailers': [`${status}transfer-encoding: chunked\r\n\r\n0\r\n`, longLine, 'too_large'],
  'an endless chunk extension': [
    `${status}transfer-encoding: chunked\r\n\r\n1;`,
    'y'.repeat(1000),
    'network',
  ],
  'no HTTP': ['SSH-2.0-OpenSSH_9.9\r\n', longLine, 'network'],
};
for (const [name, [first, more, failure]] of Object.entries(floods)) {
  test(`a server that sends ${name} is disconnected: ${failure}`, async (t) => {
    const end = Promise.withResolvers<void>();
    const port = await tcpServer(t, (socket) => {
      socket.on('close', () => end.resolve());
      socket.once('data', () => {
        socket.write(first);
        pour(socket, more);
      });
    });
    const { clock, waiting } = stoppedClock();
    const outbound = outboundOf(t, { allowPrivateTargets: true, clock });
    assert.equal(failureOf(await outbound.send(get(`http://127.0.0.1:${port}/`))), failure);
    await end.promise;
    assert.equal(waiting(), 0);
  });
}

/** Ways in which a server breaks off a request. */
const breaks: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes at once': (socket) => socket.end(),
  'resets at once': (socket) => socket.resetAndDestroy(),
  'closes within the status line': (socket) => socket.end('HTTP/1.1 20'),
  'closes within the headers': (socket) => socket.end(`${status}x: y\r\n`),
  'closes within the body': (socket) => socket.end(`${status}content-length: 10\r\n\r\n12345`),
  'closes within a chunk': (socket) =>
    socket.end(`${status}transfer-encoding: chunked\r\n\r\nff\r\nx`),
  'closes before the last chunk': (socket) =>
    socket.end(`${status}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n`),
  'gives two lengths': (socket) =>
    socket.end(`${status}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
  'changes the protocol': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
};
for (const [name, serve] of Object.entries(breaks)) {
  test(`a server that ${name} counts as unanswered`, async (t) => {
    const port = await tcpServer(t, (socket) => socket.once('data', () => serve(socket)));
    const outbound = outboundOf(t, { allowPrivateTargets: true });
    assert.equal(failureOf(await outbound.send(get(`http://127.0.0.1:${port}/`))), 'network');
  });
}

/** The bytes that a server sends before it hangs. */
const hangs: Readonly<Record<string, string>> = {
  'without a word': '',
  'within the status line': 'HTTP/1.1 2',
  'within the headers': `${status}x: y\r\n`,
  'before the body': `${status}content-length: 10\r\n\r\n`,
  'within the body': `${status}content-length: 10\r\n\r\n12345`,
  'after an early hint': 'HTTP/1.1 103 Early Hints\r\n\r\n',
};
for (const [name, text] of Object.entries(hangs)) {
  test(`a server that hangs ${name} times out`, async (t) => {
    const hanging = Promise.withResolvers<Socket>();
    const port = await tcpServer(t, (socket) =>
      socket.once('data', () => socket.write(text, () => hanging.resolve(socket))),
    );
    const { clock, ring, waiting } = stoppedClock();
    const outbound = outboundOf(t, { allowPrivateTargets: true, clock });
    const sent = outbound.send(get(`http://127.0.0.1:${port}/`));
    const socket = await hanging.promise;
    const end = closed(socket);
    ring();
    assert.equal(failureOf(await sent), 'timeout');
    await end;
    assert.equal(waiting(), 0);
  });
}

test('a slowly dripping server times out, despite its progress', async (t) => {
  const dripping = Promise.withResolvers<Socket>();
  const port = await tcpServer(t, (socket) =>
    socket.once('data', () => {
      socket.write(`${status}content-length: 900\r\n\r\n`);
      let drops = 0;
      const drip = (): void => {
        drops += 1;
        if (drops === 100) dripping.resolve(socket);
        else socket.write('x', drip);
      };
      drip();
    }),
  );
  const { clock, ring } = stoppedClock();
  const outbound = outboundOf(t, { allowPrivateTargets: true, clock });
  const sent = outbound.send(get(`http://127.0.0.1:${port}/`));
  const end = closed(await dripping.promise);
  ring();
  assert.equal(failureOf(await sent), 'timeout');
  await end;
});

test('a hanging name server times out, and its late answer is not used', async (t) => {
  const { dials, connect } = recorder(1);
  const { clock, ring } = stoppedClock();
  const found = Promise.withResolvers<string[]>();
  const outbound = outboundOf(t, { connect, clock, lookup: () => found.promise });
  const sent = outbound.send(get('https://a.example/'));
  ring();
  assert.equal(failureOf(await sent), 'timeout');
  found.resolve([publicAddress]);
  await found.promise;
  await new Promise(setImmediate);
  assert.deepEqual(dials, []);
});

test('the default clock is that of the machine', async (t) => {
  const outbound = createOutbound({
    allowPrivateTargets: false,
    lookup: () => Promise.withResolvers<string[]>().promise,
  });
  t.after(() => outbound.close());
  assert.equal(
    failureOf(await outbound.send(get('https://a.example/', { timeoutMs: 1 }))),
    'timeout',
  );
});

test('a server without a TLS handshake times out', async (t) => {
  const connected = Promise.withResolvers<Socket>();
  const port = await tcpServer(t, (socket) => connected.resolve(socket.resume()));
  const { clock, ring } = stoppedClock();
  const outbound = outboundOf(t, { allowPrivateTargets: true, clock });
  const sent = outbound.send(get(`https://127.0.0.1:${port}/`));
  const end = closed(await connected.promise);
  ring();
  assert.equal(failureOf(await sent), 'timeout');
  await end;
});

test('a name without addresses, and an unresolvable name, are not found', async (t) => {
  const { dials, connect } = recorder(1);
  const none = outboundOf(t, { connect, lookup: async () => [] });
  assert.equal(failureOf(await none.send(get('https://a.example/'))), 'name_not_found');
  const broken = outboundOf(t, {
    connect,
    lookup: async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    },
  });
  assert.deepEqual(await broken.send(get('https://a.example/')), {
    failure: 'name_not_found',
    detail: 'ENOTFOUND',
  });
  assert.deepEqual(dials, []);
});

test('a name with too many addresses is refused', async (t) => {
  const { dials, connect } = recorder(1);
  const many = Array.from({ length: outboundLimits.addresses + 1 }, (_, i) => `8.8.8.${i}`);
  const outbound = outboundOf(t, { connect, lookup: async () => many });
  assert.equal(failureOf(await outbound.send(get('https://a.example/'))), 'refused_target');
  assert.deepEqual(dials, []);
});

test('an address without a listener is followed by the next, IPv4 first, at most three', async (t) => {
  const port = await httpServer(t, (_request, response) => response.end('ok'));
  const addresses = ['2606:4700::1', '8.8.8.8', '1.1.1.1', '9.9.9.9', '11.0.0.1'];
  for (const [silent, failure] of [
    [2, 'status 200'],
    [3, 'network'],
  ] as const) {
    // No program can listen at port 0.
    const dead = recorder(0);
    const alive = recorder(port);
    const outbound = outboundOf(t, {
      connect: (dial) => (dead.dials.length < silent ? dead : alive).connect(dial),
      lookup: async () => addresses,
    });
    assert.equal(failureOf(await outbound.send(get('https://a.example/'))), failure);
    const tried = [...dead.dials, ...alive.dials].map(({ address }) => address);
    assert.deepEqual(tried, ['8.8.8.8', '1.1.1.1', '9.9.9.9']);
  }
});

test('a request that may have arrived is not sent to another address', async (t) => {
  const port = await tcpServer(t, (socket) => socket.once('data', () => socket.end()));
  const { dials, connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: async () => ['8.8.8.8', '1.1.1.1'] });
  for (const method of ['GET', 'POST'] as const) {
    assert.equal(failureOf(await outbound.send(get('https://a.example/', { method }))), 'network');
  }
  assert.deepEqual(
    dials.map(({ address }) => address),
    ['8.8.8.8', '8.8.8.8'],
  );
});

test('on a connection that closed meanwhile a GET is repeated, a POST is not', async (t) => {
  const ok = `${status}content-length: 2\r\n\r\nok`;
  const port = await tcpServer(t, (socket) => {
    socket.once('data', () => {
      socket.write(ok);
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  const { dials, connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: toPublic });
  const send = async (method: 'GET' | 'POST'): Promise<string> =>
    failureOf(await outbound.send(get('https://a.example/', { method })));
  assert.equal(await send('GET'), 'status 200');
  assert.equal(await send('GET'), 'status 200');
  assert.equal(dials.length, 2);
  assert.equal(await send('POST'), 'network');
  assert.equal(dials.length, 2);
});

test('concurrent requests are bounded, per host and in all', async (t) => {
  const release = Promise.withResolvers<string[]>();
  const port = await httpServer(t, (_request, response) => response.end('ok'));
  const { connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: () => release.promise });
  const { requests, requestsPerHost } = outboundLimits;
  const start = (count: number, host: string): Promise<string>[] =>
    Array.from({ length: count }, async () =>
      failureOf(await outbound.send(get(`https://${host}.example/`))),
    );
  const first = start(requestsPerHost, 'h0');
  assert.deepEqual(await Promise.all(start(1, 'h0')), ['busy']);
  const hosts = Array.from({ length: requests / requestsPerHost - 1 }, (_, i) => `h${i + 1}`);
  const others = hosts.flatMap((host) => start(requestsPerHost, host));
  assert.deepEqual(await Promise.all(start(1, 'another')), ['busy']);
  release.resolve([publicAddress]);
  const outcomes = await Promise.all([...first, ...others]);
  assert.deepEqual([outcomes.length, new Set(outcomes)], [requests, new Set(['status 200'])]);
  assert.deepEqual(await Promise.all(start(1, 'another')), ['status 200']);
});

test('only a bounded number of idle connections stays open', async (t) => {
  const open = new Set<Socket>();
  const port = await tcpServer(t, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('data', () => socket.write(`${status}content-length: 2\r\n\r\nok`));
  });
  const { dials, connect } = recorder(port);
  const outbound = outboundOf(t, { connect, lookup: toPublic });
  const hosts = Array.from({ length: outboundLimits.idleConnections + 20 }, (_, i) => `h${i}`);
  for (const host of hosts) {
    assert.equal(failureOf(await outbound.send(get(`https://${host}.example/`))), 'status 200');
  }
  assert.equal(dials.length, hosts.length);
  for (const socket of [...open].slice(outboundLimits.idleConnections)) await closed(socket);
  assert.equal(open.size, outboundLimits.idleConnections);
});

test('a closed client sends no more requests', async (t) => {
  const hanging = Promise.withResolvers<Socket>();
  const port = await tcpServer(t, (socket) => hanging.resolve(socket.resume()));
  const outbound = outboundOf(t, { allowPrivateTargets: true });
  const sent = outbound.send(get(`http://127.0.0.1:${port}/`));
  await hanging.promise;
  outbound.close();
  assert.equal(failureOf(await sent), 'network');
});
