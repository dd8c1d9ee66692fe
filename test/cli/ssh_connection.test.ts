// Connections to `keywright ssh-agent` from clients that are slow, or end early. A host to which a user
// forwards the agent can be such a client.

import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { type AgentParts, serveConnection } from '../../src/cli/ssh/agent.ts';
import type { Identity } from '../../src/cli/ssh/identities.ts';
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
