// Connections to `keywright ssh-agent` from clients that are slow, or end early. A host to which a user
// forwards the agent can be such a client.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { type AgentParts, serveConnection } from '../../src/cli/ssh/agent.ts';
import type { Identity } from '../../src/cli/ssh/identities.ts';
import { listenForSsh, maximumConnections } from '../../src/cli/ssh/listen.ts';
import { wireString } from '../../src/cli/ssh/wire.ts';

const identity = { blob: Buffer.alloc(4_096), signer: { typed: 'key' } };
const parts: AgentParts = {
  identities: [identity as unknown as Identity],
  sign: async () => undefined,
};
const request = wireString(Buffer.of(11));
const requests = 1_000;

test('an agent keeps few answers that a client does not take', async () => {
  let answered = 0;
  let longest = 0;
  const connection = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      answered += 1;
      longest = Math.max(longest, connection.writableLength);
      setImmediate(done);
      if (answered === requests) connection.push(null);
    },
  });
  connection.push(Buffer.concat(Array.from({ length: requests }, () => request)));
  await serveConnection(connection, parts);
  assert.equal(answered, requests);
  const most = connection.writableHighWaterMark + 2 * identity.blob.length;
  assert.ok(longest <= most, `${longest} bytes, expected at most ${most}`);
});

test('a connection ends though its client took no answer', async () => {
  const connection = new Duplex({
    read: () => undefined,
    write: () => setImmediate(() => connection.destroy()),
  });
  connection.push(Buffer.concat(Array.from({ length: requests }, () => request)));
  await serveConnection(connection, parts).catch(() => undefined);
  assert.ok(connection.destroyed);
});

test('idle connections of a forwarded host leave room for a new one', async (t) => {
  const listener = await listenForSsh(undefined, parts);
  t.after(() => listener.stop());
  const ask = async () => {
    const client = connect(listener.path);
    client.write(request);
    const [answer] = (await once(client, 'data')) as [Buffer];
    assert.equal(answer[4], 12, 'the identities');
    return client;
  };
  const idle = [await ask()];
  while (idle.length < maximumConnections) idle.push(await ask());
  const [first, second] = idle;
  assert(first !== undefined && second !== undefined);
  // The first client is active again, so the second one has been idle for the longest time.
  first.write(request);
  await once(first, 'data');
  const ended = once(second, 'close');
  const client = await ask();
  await ended;
  assert.equal(first.destroyed, false);
  for (const each of [...idle, client]) each.destroy();
});

test('idle connections of a forwarded host do not end a connection that waits for a signature', async (t) => {
  const asked = Promise.withResolvers<void>();
  const signed = Promise.withResolvers<undefined>();
  const sign = () => {
    asked.resolve();
    return signed.promise;
  };
  const listener = await listenForSsh(undefined, { ...parts, sign });
  t.after(() => listener.stop());
  const signing = connect(listener.path);
  const data = Buffer.concat([
    wireString(identity.blob),
    wireString(Buffer.of(1)),
    Buffer.alloc(4),
  ]);
  signing.write(wireString(Buffer.concat([Buffer.of(13), data])));
  await asked.promise;
  const closed = once(signing, 'close').then(() => assert.fail('the connection was ended'));
  closed.catch(() => undefined);
  const idle = Array.from({ length: maximumConnections + 1 }, () => connect(listener.path));
  // The last connection is accepted once its request is answered.
  idle.at(-1)?.write(request);
  await once(idle.at(-1) ?? signing, 'data');
  signed.resolve(undefined);
  const [answer] = (await Promise.race([once(signing, 'data'), closed])) as [Buffer];
  assert.equal(answer[4], 5, 'a failure');
  for (const each of [...idle, signing]) each.destroy();
});
