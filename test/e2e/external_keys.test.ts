// An external key in SoftHSM2 from end to end, by the commands of docs/external-keys.md: the service and the
// key holder are processes, and the service is killed between its decision and the signature.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { runIn } from '../cli/terminal.ts';
import { holders, missingFor, newToken, softHsmModule } from '../external_keys/holders.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { httpClient, timestampMs } from './clients.ts';
import { launch, startService, temporaryDirectory, until } from './service.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/external-keys.md'), 'utf8');

/** Returns the lines of a marked block of the page. */
function blockOf(mark: string): string {
  const pattern = new RegExp(`<!-- ${mark} -->\\s*\`\`\`\\w+\\n(.*?)\`\`\``, 's');
  return pattern.exec(page)?.[1] ?? assert.fail(`docs/external-keys.md marks no block ${mark}`);
}

const softHsm = holders.find(({ name }) => name === 'pkcs11') ?? assert.fail();
const { test } = testsThatNeed(missingFor(softHsm));

test('the service signs with a key in a module despite a kill', async () => {
  const folder = temporaryDirectory();
  const socket = join(folder, 'holder.sock');
  const token = newToken();
  const env = { ...process.env, ...token, MODULE: softHsmModule };
  const made = execFileSync('sh', ['-ec', blockOf('pkcs11-key')], { env, encoding: 'utf8' });
  const publicKey = /EC_POINT:\s+0441([0-9a-f]{130})/.exec(made)?.[1] ?? assert.fail(made);

  const start = {
    dataDirectory: join(folder, 'data'),
    environment: { KEYWRIGHT_KEY_HOLDER_SOCKET: socket },
  };
  const service = await startService(start);
  const { organizationId } = service.credentials;
  const published = await fetch(`${service.baseUrl}/public/v1/discovery/keys`);
  const { keys } = (await published.json()) as { keys: { role: string; publicKey: string }[] };
  const authority = keys.find(({ role }) => role === 'key_orders')?.publicKey ?? assert.fail();
  const file = join(folder, 'keys.json');
  const values = {
    AUTHORITY: authority,
    ORGANIZATION: organizationId,
    PUBLIC_KEY: publicKey,
    MODULE: softHsmModule,
  };
  const text = Object.entries(values).reduce(
    (filled, [name, value]) => filled.replace(`"${name}"`, `"${value}"`),
    blockOf('holder-file'),
  );
  writeFileSync(file, text, { mode: 0o600 });
  let holder = await startHolder(file, socket, token);

  const words = ['key', 'create', 'Treasury', '--external', publicKey, '--json'];
  const { code, out, err } = await runIn(start.dataDirectory, words, {
    environment: { KEYWRIGHT_DATA_DIR: '.', KEYWRIGHT_URL: service.baseUrl },
  });
  assert.equal(code, 0, err);
  const signWith: string = JSON.parse(out).privateKeys[0].addresses[0].address;
  const request = (payload: string) => ({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      signWith,
      payload,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
      hashFunction: 'HASH_FUNCTION_NO_OP' as const,
    },
  });
  const first = await httpClient(service).signRawPayload(request('11'.repeat(32)));
  assert.equal(first.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  await holder.stop();

  // A holder that receives the order and never answers.
  const ordered = Promise.withResolvers<void>();
  const silent = createServer({ allowHalfOpen: true }, (connection) => {
    connection.on('error', () => undefined);
    connection.once('data', () => ordered.resolve());
  });
  rmSync(socket, { force: true });
  silent.listen(socket);
  after(() => silent.close());
  const again = request('22'.repeat(32));
  const lost = assert.rejects(httpClient(service).signRawPayload(again));
  await ordered.promise;
  await service.kill();
  await lost;
  silent.close();

  const second = await startService(start);
  holder = await startHolder(file, socket, token);
  const client = httpClient(second);
  const signed = await client.signRawPayload(again);
  assert.equal(signed.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  // The repeated request returns the same activity, without another order.
  await holder.stop();
  const repeated = await client.signRawPayload(again);
  assert.deepEqual(repeated.activity.result, signed.activity.result);
  const { activities } = await client.getActivities({
    organizationId,
    filterByType: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
  });
  assert.equal(activities.length, 2);
  await second.stop();
});

async function startHolder(
  file: string,
  socket: string,
  token: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  const { main } = serviceProgram();
  const words = ['key-holder', '--keys', file, '--socket', socket];
  const { child, ended, output } = launch({
    dataDirectory: temporaryDirectory(),
    command: [process.execPath, main, ...words],
    environment: { PATH: process.env['PATH'] ?? '', ...token },
  });
  await until('the key holder listens', () => output().stdout.includes(socket));
  assert.ok(existsSync(socket));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      assert.equal(code, 0, stderr);
    },
  };
}
