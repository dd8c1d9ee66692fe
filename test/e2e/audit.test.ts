// The audit trail of a real service: in a file despite kills, and at a URL that is unavailable for a while.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runArchive } from '../../src/archive/command.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { freePort } from '../support/free_port.ts';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { messagesIn } from '../support/syslog_messages.ts';
import { httpClient, timestampMs } from './clients.ts';
import {
  type RunningService,
  startInVain,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';

type Line = { readonly number: number; readonly activityId: string } & Record<string, unknown>;

const linesIn = (text: string): readonly Line[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

const countTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Changes the organization, and returns the id of the acknowledged activity. */
async function change(service: RunningService, userName: string): Promise<string> {
  const { organizationId, userId } = service.credentials;
  const { activity } = await httpClient(service).updateUserName({
    type: 'ACTIVITY_TYPE_UPDATE_USER_NAME',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { userId, userName },
  });
  return activity.id;
}

/** Requires at least one line for each number, and equal lines for equal numbers. */
function assertWhole(lines: readonly Line[]): ReadonlyMap<number, Line> {
  const byNumber = new Map<number, Line>();
  for (const line of lines) {
    const known = byNumber.get(line.number);
    if (known === undefined) byNumber.set(line.number, line);
    else assert.deepEqual(line, known);
  }
  assert.deepEqual(
    [...byNumber.keys()].toSorted((a, b) => a - b),
    countTo(byNumber.size),
  );
  return byNumber;
}

const hasAll = (lines: readonly Line[], ids: readonly string[]): boolean => {
  const written = new Set(lines.map(({ activityId }) => activityId));
  return ids.every((id) => written.has(id));
};

test('a file has every acknowledged activity despite kills under load', async () => {
  const dataDirectory = temporaryDirectory();
  const file = join(temporaryDirectory(), 'audit.ndjson');
  const environment = { KEYWRIGHT_AUDIT_FILE: file };
  const written = () => linesIn(readFileSync(file, 'utf8').replace(/[^\n]*$/, ''));
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const service = await startService({ dataDirectory, environment });
    const before = written().length;
    const enough = Promise.withResolvers<void>();
    const busy = countTo(4).map(async (worker) => {
      for (let n = 0; ; n += 1) {
        const id = await change(service, `${round} ${worker} ${n}`).catch(() => undefined);
        if (id === undefined) return;
        acknowledged.push(id);
        if (acknowledged.length >= 40 * (round + 1)) enough.resolve();
      }
    });
    await enough.promise;
    await until('some of it is written', () => written().length > before);
    await service.kill();
    await Promise.all(busy);
    // Appends a partial line, like a crash of the machine.
    if (round === 1) appendFileSync(file, '{"number":9999,"organiz');
  }
  const last = await startService({ dataDirectory, environment });
  await until('all of it is written', () => hasAll(written(), acknowledged));
  await last.stop();
  const lines = linesIn(readFileSync(file, 'utf8'));
  const byNumber = assertWhole(lines);
  assert.ok(byNumber.size >= acknowledged.length);
  assert.equal(
    new Set([...byNumber.values()].map(({ activityId }) => activityId)).size,
    byNumber.size,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a URL gets all lines in order after any downtime', async () => {
  // At first nothing listens on the port, and the system does not use it for outgoing connections.
  const port = await freePort();
  const service = await startService({
    dataDirectory: temporaryDirectory(),
    environment: {
      KEYWRIGHT_AUDIT_URL: `http://127.0.0.1:${port}/audit?place=1`,
      KEYWRIGHT_AUDIT_TOKEN: 'a token of the collector',
    },
  });
  const ids: string[] = [];
  for (const n of countTo(20)) ids.push(await change(service, `away ${n}`));
  await until('the trouble is logged', () =>
    service.output().stdout.includes('the audit trail cannot be written'),
  );
  let received = '';
  let refusals = 2;
  const kinds = new Set<string>();
  const server = await startLoopbackServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization, 'content-type': type } = request.headers;
    kinds.add(`${request.method} ${request.url} ${authorization} ${type}`);
    refusals -= 1;
    if (refusals >= 0) return void response.writeHead(refusals === 0 ? 400 : 503).end();
    received += body;
    response.end();
  }, port);
  await until('all of it is there', () => hasAll(linesIn(received), ids));
  ids.push(await change(service, 'now'));
  await until('so is what comes later', () => hasAll(linesIn(received), ids));
  await service.stop();
  server.stop();
  const lines = linesIn(received);
  assertWhole(lines);
  const numbers = lines.map(({ number }) => number);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    [...kinds],
    ['POST /audit?place=1 Bearer a token of the collector application/x-ndjson'],
  );
  assert.ok(!service.output().stdout.includes('a token of the collector'));
  assert.ok(!service.output().stdout.includes('place=1'));
});

test('a file and a syslog receiver have every line despite kills while one is unavailable', async () => {
  const dataDirectory = temporaryDirectory();
  const file = join(temporaryDirectory(), 'audit.ndjson');
  const port = await freePort();
  const environment = {
    KEYWRIGHT_AUDIT_FILE: file,
    KEYWRIGHT_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}`,
  };
  const inFile = () => linesIn(readFileSync(file, 'utf8').replace(/[^\n]*$/, ''));
  const ids: string[] = [];
  const service = await startService({ dataDirectory, environment });
  for (const n of countTo(10)) ids.push(await change(service, `away ${n}`));
  await until('the file does not wait for the receiver', () => hasAll(inFile(), ids));
  await service.kill();

  const receiver = await startReceiver(port);
  const again = await startService({ dataDirectory, environment });
  await until('the receiver has what it missed', () => hasAll(receiver.lines(), ids));
  await receiver.stop();
  ids.push(await change(again, 'away again'));
  await until('the file goes on', () => hasAll(inFile(), ids));
  await again.kill();
  const later = await startReceiver(port);
  const last = await startService({ dataDirectory, environment });
  ids.push(await change(last, 'now'));
  const received = () => [...receiver.lines(), ...later.lines()];
  await until('the receiver has all', () => hasAll(received(), ids));
  await until('and so has the file', () => hasAll(inFile(), ids));
  await last.stop();
  await later.stop();
  const [ofReceiver, ofFile] = [assertWhole(received()), assertWhole(inFile())];
  assert.deepEqual(ofReceiver, ofFile);
});

/** Starts a syslog receiver over TCP. It closes each connection after its sender. */
async function startReceiver(port: number) {
  const messages: string[] = [];
  const server = createServer(async (socket) => {
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    messages.push(...messagesIn(Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    lines: () => messages.flatMap((text) => linesIn(text.slice(text.indexOf('{')))),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test('an unusable destination ends the start with the reason', async () => {
  const dataDirectory = temporaryDirectory();
  const file = join(dataDirectory, 'none', 'audit.ndjson');
  const missing = await startInVain({ dataDirectory, environment: { KEYWRIGHT_AUDIT_FILE: file } });
  assert.match(missing.stderr, /the audit file .* cannot be used: ENOENT/);
  const syslog = { KEYWRIGHT_AUDIT_SYSLOG: 'udp://127.0.0.1:514' };
  const other = await startInVain({ dataDirectory, environment: syslog });
  assert.match(other.stderr, /expected tls:\/\/host:port or tcp:\/\/host:port/);
});

test('the example of the page has the members of a real line', async () => {
  const file = join(temporaryDirectory(), 'audit.ndjson');
  const service = await startService({
    dataDirectory: temporaryDirectory(),
    environment: { KEYWRIGHT_AUDIT_FILE: file },
  });
  const id = await change(service, 'Told');
  await until('it is written', () => hasAll(linesIn(readFileSync(file, 'utf8')), [id]));
  await service.stop();
  const line = linesIn(readFileSync(file, 'utf8')).find(({ activityId }) => activityId === id);
  const page = readFileSync(join(import.meta.dirname, '../../docs/audit.md'), 'utf8');
  const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  assert.deepEqual(membersOf(JSON.parse(example)), membersOf(line));
});

test('an entry that waits for the trail is in a backup, and is not archived', async () => {
  const folder = temporaryDirectory();
  const dataDirectory = join(folder, 'data');
  const url = { KEYWRIGHT_AUDIT_URL: 'http://127.0.0.1:1/' };
  const service = await startService({ dataDirectory, environment: url });
  const id = await change(service, 'Waiting');
  await service.stop();
  const { main, environment } = serviceProgram();
  const backup = join(folder, 'backup');
  const words = ['backup', '--to', backup, '--data-dir', dataDirectory];
  execFileSync(process.execPath, [main, ...words], { env: { ...process.env, ...environment } });

  const settings = readSettings({}, ['--data-dir', dataDirectory]);
  const now = Date.now() + 100 * 24 * 60 * 60 * 1000;
  const operator = { signal: new AbortController().signal };
  const wanted = {
    to: join(folder, 'archive'),
    before: now - 50 * 24 * 60 * 60 * 1000,
    now,
    operator,
  };
  await assert.rejects(runArchive(settings, wanted), /the audit trail does not have them yet/);

  const file = join(folder, 'audit.ndjson');
  const again = await startService({ dataDirectory, environment: { KEYWRIGHT_AUDIT_FILE: file } });
  await until('it is written', () => hasAll(linesIn(readFileSync(file, 'utf8')), [id]));
  await again.stop();
  assert.ok((await runArchive(settings, wanted)).activities >= 1);
});

/** Returns the names of all members, and the types of their values. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(membersOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, membersOf(each)]));
}
