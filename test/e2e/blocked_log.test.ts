// A log without a reader or without space: the service still answers, counts its dropped lines, reports their
// number to the next reader, and stops on request.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keptBytesMaximum } from '../../src/gateway/observability/line_writer.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { freePort } from '../support/free_port.ts';
import { temporaryDirectory, until } from './service.ts';

const program = serviceProgram();
const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

type Output = number | 'pipe';

const warnsOnSignal = `process.on('SIGUSR2', () => process.emitWarning('a warning of this test'));`;

async function start(output: Output) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [program.main, 'serve'], {
    env: {
      ...program.environment,
      KEYWRIGHT_DATA_DIR: join(temporaryDirectory(), 'data'),
      KEYWRIGHT_PORT: String(port),
      KEYWRIGHT_METRICS_PORT: String(metricsPort),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(warnsOnSignal)}`,
    },
    // Both streams share one output, like `2>&1`.
    stdio: ['ignore', output, output],
  });
  children.add(child);
  const baseUrl = `http://127.0.0.1:${port}`;
  await until('the service is ready', async () => (await fetch(`${baseUrl}/health/ready`)).ok);
  return {
    child,
    baseUrl,
    dropped: async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^keywright_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    },
  };
}

type Service = Awaited<ReturnType<typeof start>>;

/**
 * Makes the service log this many lines: requests of an unknown path are logged, and do not reach the
 * enclave.
 */
async function writeLines({ baseUrl }: Service, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = { 'x-request-id': 'i'.repeat(128) };
  const ask = async (): Promise<void> => {
    const sending = request(`${baseUrl}/nowhere`, { agent, headers }).end();
    const [answer] = await once(sending, 'response');
    assert.equal(answer.statusCode, 404);
    answer.resume();
    await once(answer, 'end');
  };
  for (let sent = 0; sent < count; sent += 16) {
    await Promise.all(Array.from({ length: 16 }, ask));
  }
  agent.destroy();
}

/** More lines than the pipe and the service can hold. */
const linesAtMost = Math.ceil((keptBytesMaximum + 512 * 1024) / 250);

/** Makes the service log lines until it drops some. */
async function writeUntilDropped(service: Service): Promise<void> {
  for (let lines = 0; lines < linesAtMost; lines += 512) {
    await writeLines(service, 512);
    if ((await service.dropped()) > 0) return;
  }
  assert.fail(`no line was dropped of ${linesAtMost}`);
}

/** Fills a pipe, so that not even the first line fits. */
function fill(descriptor: number): void {
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4_096, 'x\n'));
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'EAGAIN');
  }
}

function drain(descriptor: number): string {
  const chunk = Buffer.alloc(65_536);
  let text = '';
  try {
    for (;;) text += chunk.toString('utf8', 0, readSync(descriptor, chunk));
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'EAGAIN');
  }
  return text;
}

test('the service works with a full pipe without a reader', async () => {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  fill(reader);
  const service = await start(writer);
  // Node would print a warning in the middle of a line.
  service.child.kill('SIGUSR2');
  await writeUntilDropped(service);

  let text = '';
  await until('the dropped lines are reported', () => {
    text += drain(reader);
    return text.includes('lines of the log were dropped');
  });
  const [line = ''] = text.split('\n').filter((each) => each.includes('were dropped'));
  const { level, dropped } = JSON.parse(line);
  assert.deepEqual([level, dropped], ['warn', await service.dropped()]);
  const written = text.split('\n').filter((each) => each.startsWith('{'));
  const lines = written.map((each) => JSON.parse(each));
  assert(lines.some(({ msg }) => msg === 'ready'));
  const warnings = lines.filter(({ msg }) => msg === 'Node reported a warning');
  // Node may also warn about its own experimental features.
  assert.equal(warnings.filter(({ detail }) => detail === 'a warning of this test').length, 1);

  fill(reader);
  await service.stop();
  for (const descriptor of [reader, writer]) closeSync(descriptor);
});

test('the service works with a socket without a reader, as from a service manager', async () => {
  // Node connects a child over a socket, which nothing reads here.
  const service = await start('pipe');
  await writeUntilDropped(service);
  await service.stop();
});

test('the service works with a full disk', async () => {
  const full = openSync('/dev/full', 'w');
  const service = await start(full);
  await writeUntilDropped(service);
  await service.stop();
  closeSync(full);
});

test('the service works after its reader ended', async () => {
  const service = await start('pipe');
  service.child.stdout?.destroy();
  service.child.stderr?.destroy();
  await writeLines(service, 64);
  await service.stop();
});

test('a file has every line, complete and in order', async () => {
  const path = join(temporaryDirectory(), 'log');
  const file = openSync(path, 'w');
  const service = await start(file);
  await writeLines(service, 64);
  await service.stop();
  closeSync(file);
  const written = readFileSync(path, 'utf8');
  assert.equal(written.match(/"msg":"request"/g)?.length, 64);
  for (const line of written.split('\n').filter((each) => each.startsWith('{'))) JSON.parse(line);
});
