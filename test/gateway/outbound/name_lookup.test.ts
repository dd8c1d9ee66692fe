import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { createNameLookup, type NameLookup } from '../../../src/gateway/outbound/name_lookup.ts';
import { get, outboundOf, recorder } from './loopback.ts';

/**
 * Starts a name server (RFC 1035) with these addresses; returns a lookup that uses it, and the queried
 * names.
 */
async function lookupAt(
  t: TestContext,
  known: Readonly<Record<string, readonly string[]>>,
): Promise<{ lookup: NameLookup; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = questionOf(query);
    asked.push(name);
    const answers = (known[name] ?? []).map((text) => ipaddr.parse(text).toByteArray());
    const records = answers
      .filter((bytes) => type === (bytes.length === 4 ? 1 : 28))
      // The name of the query, the type, class IN, a minute to live, the address.
      .map((bytes) =>
        Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
      );
    const code = name in known ? 0 : 3;
    const counts = [0, 1, 0, records.length, 0, 0, 0, 0];
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, ...counts]);
    socket.send(Buffer.concat([head, question, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  const servers = [`127.0.0.1:${socket.address().port}`];
  return { lookup: createNameLookup({ allowPrivateTargets: false }, servers), asked };
}

function questionOf(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  return { name, type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) };
}

test('public names are resolved by the name servers, in both IP versions, without a search domain', async (t) => {
  const { lookup, asked } = await lookupAt(t, {
    'both.example.com': ['8.8.8.8', '1.1.1.1', '2606:4700::1'],
    'four.example.com': ['8.8.8.8'],
    'six.example.com': ['2606:4700::1'],
    'none.example.com': [],
  });
  const sorted = async (name: string): Promise<readonly string[]> =>
    (await lookup(name)).toSorted();
  assert.deepEqual(await sorted('both.example.com'), ['1.1.1.1', '2606:4700::1', '8.8.8.8']);
  assert.deepEqual(await sorted('four.example.com'), ['8.8.8.8']);
  assert.deepEqual(await sorted('six.example.com'), ['2606:4700::1']);
  assert.deepEqual(await sorted('none.example.com'), []);
  assert.deepEqual(await sorted('unknown.example.com'), []);
  const names = ['both', 'four', 'none', 'six', 'unknown'].map((name) => `${name}.example.com`);
  assert.deepEqual([...new Set(asked)].toSorted(), names);
});

test('a private address from a name server is not dialled', async (t) => {
  const { lookup } = await lookupAt(t, {
    'four.example.com': ['8.8.8.8', '127.0.0.1'],
    'six.example.com': ['8.8.8.8', '::1'],
    'mapped.example.com': ['::ffff:169.254.169.254'],
  });
  const { dials, connect } = recorder(1);
  const outbound = outboundOf(t, { lookup, connect });
  for (const name of ['four', 'six', 'mapped']) {
    const sent = await outbound.send(get(`https://${name}.example.com/`));
    assert.equal('failure' in sent && sent.failure, 'refused_target', name);
  }
  assert.deepEqual(dials, []);
});
