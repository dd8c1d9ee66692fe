// PgBouncer between a node and PostgreSQL: the node works with pooled sessions, and rejects pooled
// transactions.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { accountParameters, createAddress, httpClient } from '../e2e/clients.ts';
import { startInVain, startService, temporaryDirectory, until } from '../e2e/service.ts';
import { signatureOf } from '../e2e/two_nodes.ts';
import { canStartPostgres, newDatabase, startPostgresServer } from '../store/postgres_server.ts';
import { freePort } from '../support/free_port.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';

const program = '/usr/sbin/pgbouncer';

/** Starts the pooler for a database, and returns the address on which it listens. */
async function startPooler(databaseUrl: string, poolMode: 'session' | 'transaction') {
  const { port, username, password, pathname } = new URL(databaseUrl);
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755);
  const listenPort = await freePort();
  const config = join(directory, 'pgbouncer.ini');
  const name = pathname.slice(1);
  writeFileSync(
    config,
    `[databases]
${name} = host=127.0.0.1 port=${port} dbname=${name} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
`,
  );
  // PgBouncer does not run as root.
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, ['-q', ...(isRoot ? ['-u', 'nobody'] : []), config], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until('the pooler listens', async () => {
    const socket = connect(listenPort, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  });
  const url = new URL(databaseUrl);
  url.port = String(listenPort);
  return url.href;
}

if (canStartPostgres) {
  const missing = existsSync(program) ? undefined : `${program} is not there: install pgbouncer`;
  const { test } = testsThatNeed(missing);
  const server = await startPostgresServer();
  after(() => server.remove());

  test('a node works with pooled sessions', async () => {
    const url = await startPooler(await newDatabase(server.url), 'session');
    const start = { dataDirectory: temporaryDirectory() };
    const service = await startService({ ...start, environment: { KEYWRIGHT_DATABASE_URL: url } });
    const address = await createAddress(service, 'Pooled', accountParameters.ethereum);
    const { organizationId } = service.credentials;
    const signature = signatureOf({ organizationId, address });
    const signed = await httpClient(service).signRawPayload(signature);
    assert.equal(signed.activity.status, 'ACTIVITY_STATUS_COMPLETED');
    // The server closes every session, and the pooler opens new ones.
    await server.stop('crash');
    await server.start();
    await until(
      'it is ready again',
      async () => (await fetch(`${service.baseUrl}/health/ready`)).ok,
    );
    assert.deepEqual(await httpClient(service).signRawPayload(signature), signed);
    await service.stop();
  });

  test('a node rejects pooled transactions', async () => {
    const url = await startPooler(await newDatabase(server.url), 'transaction');
    const { code, stderr } = await startInVain({
      dataDirectory: temporaryDirectory(),
      environment: { KEYWRIGHT_DATABASE_URL: url },
    });
    assert.equal(code, 1);
    assert.match(stderr, /lends connections for single transactions/);
  });
}
