// The root key from each provider with real processes: sealed starts, a killed enclave, wrong keys, and the
// places that contain the key or the passphrase afterwards.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { afterEach, before, describe, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { sealCheaply } from '../support/cheap_sealing.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { freePort } from '../support/free_port.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import {
  childrenOf,
  isRunning,
  launch,
  startInVain,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';
import { canaryOfBytes, canaryOfText, tracesOf, type Written } from './traces.ts';

const { main, environment: variables } = serviceProgram();
const passphrase = `correct-${randomBytes(12).toString('hex')}`;

/** The data of a service, its root key, and this key sealed under the passphrase. */
let dataDirectory: string;
let rootKey: Uint8Array;
let folder: string;
const file = (name: string): string => join(folder, name);

before(async () => {
  dataDirectory = temporaryDirectory();
  folder = temporaryDirectory();
  await (await startService({ dataDirectory })).stop();
  const keyFile = join(dataDirectory, 'root.key');
  rootKey = readFileSync(keyFile);
  write('root.key', rootKey);
  write('passphrase', `${passphrase}\n`);
  write('other.key', randomBytes(32));
  write('root.key.sealed', await sealCheaply(rootKey, utf8(passphrase)));
  // From now on, only the providers have the key.
  writeFileSync(join(dataDirectory, 'root.key'), randomBytes(32));
});

function write(name: string, bytes: Uint8Array | string): string {
  writeFileSync(file(name), bytes, { mode: 0o600 });
  return file(name);
}

/** Runs a command with the passphrase as its input. */
function keywright(words: readonly string[], input = `${passphrase}\n`): string {
  return execFileSync(process.execPath, [main, ...words], {
    input,
    encoding: 'utf8',
    env: variables,
  });
}

/** Removes the processes and files of a failed test, so that the next one starts clean. */
const started: ReturnType<typeof launch>['child'][] = [];
afterEach(async () => {
  for (let child = started.pop(); child !== undefined; child = started.pop()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

type Sealed = Awaited<ReturnType<typeof start>>;

/** Starts a service on the data of this file, and returns it before it has its key. */
async function start(
  environment: Readonly<Record<string, string>>,
  descriptors: readonly (number | 'pipe')[] = [],
) {
  const port = await freePort();
  const { child, output, ended } = launch({
    dataDirectory,
    environment: { KEYWRIGHT_PORT: String(port), KEYWRIGHT_LOG_LEVEL: 'trace', ...environment },
    descriptors,
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const health = async (path = 'ready') => {
    const response = await fetch(`${baseUrl}/health/${path}`);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const pid = child.pid ?? assert.fail();
  started.push(child);
  return {
    baseUrl,
    pid,
    output,
    health,
    inherited: (descriptor: number) => child.stdio[descriptor] as Writable,
    /** Waits until the enclave of the service answers. A dead enclave may still count as ready. */
    isReady: async () => {
      await until('the service is ready', async () => (await health()).status === 200);
      await until('the enclave answers', () => isOpen(baseUrl));
    },
    isSealed: (reason: RegExp) =>
      until(`the service is sealed: ${reason}`, async () => {
        const { status, body } = await health();
        return status === 503 && body.status === 'sealed' && reason.test(body.reasons[0]);
      }),
    killEnclave: async () => {
      const [enclave = assert.fail()] = childrenOf(pid);
      process.kill(enclave, 'SIGKILL');
      await until('the enclave has ended', () => !isRunning(enclave));
    },
    stop: async () => {
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      assert.equal(code, 0, stderr);
    },
    ended,
  };
}

/** Requests an answer of the enclave, which proves that it can open the database. */
async function isOpen(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/public/v1/query/whoami`, { method: 'POST', body: '{}' });
  await response.text();
  return response.status >= 400 && response.status < 500;
}

const byPassphrase = () => ({
  KEYWRIGHT_ROOT_KEY_PROVIDER: 'passphrase',
  KEYWRIGHT_ROOT_KEY_FILE: file('root.key.sealed'),
});
const byDescriptor = {
  KEYWRIGHT_ROOT_KEY_PROVIDER: 'descriptor',
  KEYWRIGHT_ROOT_KEY_DESCRIPTOR: '3',
};
const byCommand = (...words: readonly string[]) => ({
  KEYWRIGHT_ROOT_KEY_PROVIDER: 'command',
  KEYWRIGHT_ROOT_KEY_COMMAND: JSON.stringify(words),
});

describe('a sealed service', () => {
  test('answers only probes until it gets the key through a descriptor', async () => {
    const metricsPort = await freePort();
    const service = await start({ ...byDescriptor, KEYWRIGHT_METRICS_PORT: String(metricsPort) }, [
      'pipe',
    ]);
    await service.isSealed(/^sealed: waits for the root key from descriptor 3$/);
    assert.deepEqual(await service.health('live'), { status: 200, body: { status: 'ok' } });
    const refused = await fetch(`${service.baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      body: '{}',
    });
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '5');
    const { code, message } = JSON.parse(await refused.text());
    assert.equal(code, 14);
    assert.match(
      message,
      /^the service is sealed because it has no root key; its operator has to unseal it/,
    );
    const metrics = `http://127.0.0.1:${metricsPort}`;
    const shown = async () => (await fetch(`${metrics}/metrics`)).text();
    assert.match(await shown(), /^keywright_sealed 1$/m);
    assert.equal((await fetch(`${metrics}/health/ready`)).status, 503);

    service.inherited(3).write(rootKey.subarray(0, 10));
    service.inherited(3).end(rootKey.subarray(10));
    await service.isReady();
    assert.match(await shown(), /^keywright_sealed 0$/m);

    // The service does not store the key, so it is sealed again and prints the next step.
    await service.killEnclave();
    await service.isSealed(/descriptor 3 was read once and the root key is not stored: restart/);
    assert.match(await shown(), /^keywright_sealed 1$/m);
    const again = await fetch(`${service.baseUrl}/public/v1/query/whoami`, {
      method: 'POST',
      body: '{}',
    });
    assert.match(JSON.parse(await again.text()).message, /^the service is sealed/);
    await service.stop();
  });

  test('stops at once on SIGTERM', async () => {
    for (const [environment, descriptors] of [
      [byDescriptor, ['pipe']],
      [byPassphrase(), []],
      [byCommand('/bin/sleep', '1000'), []],
    ] as const) {
      const service = await start(environment, descriptors);
      await service.isSealed(/waits for/);
      const started = childrenOf(service.pid);
      await service.stop();
      await until('its processes have ended', () => !started.some(isRunning));
    }
  });
});

describe('the descriptor', () => {
  test('of a stored key still opens after the enclave dies', async () => {
    const descriptor = openSync(file('root.key'), 'r');
    const service = await start({ ...byDescriptor, KEYWRIGHT_ROOT_KEY_KEEP: 'true' }, [descriptor]);
    await service.isReady();
    await service.killEnclave();
    await service.isReady();
    await service.stop();
  });

  test('of another key is refused', async () => {
    const descriptors = [openSync(file('other.key'), 'r')];
    const { code, stderr } = await startInVain({
      dataDirectory,
      environment: byDescriptor,
      descriptors,
    });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'keywright: the root key descriptor 3 is not the one that the database was made with\n',
    );
  });
});

describe('the passphrase', () => {
  test('arrives by keywright unseal after each death of the enclave, and a wrong one opens nothing', async () => {
    const service = await start(byPassphrase());
    const socket = join(dataDirectory, 'unseal.sock');
    const unseal = (text: string) => ended(['unseal', '--data-dir', dataDirectory], `${text}\n`);
    for (const round of [1, 2]) {
      await service.isSealed(/waits for the passphrase of the root key: run keywright unseal/);
      assert.equal(statSync(socket).mode & 0o777, 0o600);
      assert.deepEqual(await unseal(`${passphrase}?`), {
        code: 4,
        out: '',
        err: 'keywright: the passphrase does not open the sealed root key\n',
      });
      assert.equal((await service.health()).body.status, 'sealed');
      assert.deepEqual(await unseal(passphrase), { code: 0, out: 'Service  open\n', err: '' });
      await service.isReady();
      await until('the socket is gone', () => !existsSync(socket));
      if (round === 1) await service.killEnclave();
    }
    const late = await unseal(passphrase);
    assert.equal(late.code, 8);
    assert.match(late.err, /^keywright: no sealed service waits for a passphrase in /);
    // Attempts write no line to the log.
    assert.doesNotMatch(service.output().stdout, /attempt|does not open|wrong/);
    await service.stop();
  });

  test('is read from a file, also after the enclave died', async () => {
    const service = await start({
      ...byPassphrase(),
      KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE: file('passphrase'),
    });
    await service.isReady();
    await service.killEnclave();
    await service.isReady();
    await service.stop();
  });

  test('is read from a descriptor, and typed by a person after the enclave died', async () => {
    const environment = { ...byPassphrase(), KEYWRIGHT_ROOT_KEY_PASSPHRASE_DESCRIPTOR: '3' };
    const service = await start(environment, [openSync(file('passphrase'), 'r')]);
    await service.isReady();
    await service.killEnclave();
    await service.isSealed(/run keywright unseal/);
    keywright(['unseal', '--data-dir', dataDirectory]);
    await service.isReady();
    await service.stop();
  });

  test('that is wrong in its file causes one sentence', async () => {
    const environment = {
      ...byPassphrase(),
      KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE: write('wrong', 'incorrect horse'),
    };
    const { code, stderr } = await startInVain({ dataDirectory, environment });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `keywright: the passphrase from ${file('wrong')} does not open the sealed root key ${file('root.key.sealed')}\n`,
    );
  });

  test('of the key of another database leaves the service sealed', async () => {
    const sealed = write(
      'exchanged.sealed',
      await sealCheaply(readFileSync(file('other.key')), utf8(passphrase)),
    );
    const service = await start({ ...byPassphrase(), KEYWRIGHT_ROOT_KEY_FILE: sealed });
    await service.isSealed(/run keywright unseal/);
    const refused = await ended(['unseal', '--data-dir', dataDirectory], `${passphrase}\n`);
    assert.equal(refused.code, 4);
    assert.match(refused.err, /the root key \S+ is not the one that the database was made with\n$/);
    await service.isSealed(/run keywright unseal/);
    // The correct file opens the service without a restart.
    writeFileSync(sealed, readFileSync(file('root.key.sealed')));
    keywright(['unseal', '--data-dir', dataDirectory]);
    await service.isReady();
    await service.stop();
  });

  const { test: testWithTerminal } = testsThatNeed(
    process.platform === 'linux' && existsSync('/usr/bin/script')
      ? undefined
      : 'no /usr/bin/script of util-linux, which makes pseudo-terminals',
  );
  testWithTerminal(
    'is typed at the terminal, without echo, and again after a mistake',
    async () => {
      const port = await freePort();
      const settings = {
        ...byPassphrase(),
        KEYWRIGHT_DATA_DIR: dataDirectory,
        KEYWRIGHT_PORT: String(port),
      };
      const child = spawn(
        'script',
        ['-qefc', `exec ${process.execPath} ${main} serve`, '/dev/null'],
        {
          env: { PATH: process.env['PATH'], TERM: 'xterm', ...variables, ...settings },
        },
      );
      let shown = '';
      child.stdout.on('data', (chunk) => {
        shown += chunk;
      });
      const closed = new Promise((resolve) => child.once('close', resolve));
      await until('the service asks', () => shown.includes('Passphrase of the root key: '));
      child.stdin.write(`${passphrase}x\r`);
      await until('the service asks again', () => /does not open .*, again: /.test(shown));
      // The backspace removes a wrong character.
      child.stdin.write(`${passphrase}ü\u007f\r`);
      await until('the service greets', () => shown.includes('keywright is ready at'));
      assert.ok(!shown.includes(passphrase), shown);
      child.stdin.write('\u0003');
      await closed;
    },
  );
});

describe('the command', () => {
  test('returns the key, and again after the enclave died', async () => {
    const service = await start(byCommand('/bin/cat', file('root.key')));
    await service.isReady();
    await service.killEnclave();
    await service.isReady();
    await service.stop();
  });

  test('that fails leaves the service sealed until it succeeds', async () => {
    const service = await start(byCommand('/bin/cat', file('comes.key')));
    await service.isSealed(/the command \/bin\/cat ended with exit code 1$/);
    write('comes.key', randomBytes(32));
    await service.isSealed(/is not the one that the database was made with/);
    write('comes.key', rootKey);
    await service.isReady();
    await service.stop();
  });
});

test('an enclave with an exchanged root key serves no request', async () => {
  const exchanged = write('exchanged.key', rootKey);
  const service = await start({ KEYWRIGHT_ROOT_KEY_FILE: exchanged });
  await service.isReady();
  write('exchanged.key', randomBytes(32));
  await service.killEnclave();
  await until('it is refused', () => /could not be restarted/.test(service.output().stdout));
  assert.match(service.output().stdout, /is not the one that the service was started with/);
  write('exchanged.key', rootKey);
  await service.isReady();
  await service.stop();
});

describe('commands during the service', () => {
  test('keys prints the same keys with each provider', async () => {
    const keys = (environment: Readonly<Record<string, string>>, descriptors: number[] = []) =>
      execFileSync(process.execPath, [main, 'keys', '--data-dir', dataDirectory], {
        env: { ...variables, ...environment },
        stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
        encoding: 'utf8',
      });
    const expected = keys({ KEYWRIGHT_ROOT_KEY_FILE: file('root.key') });
    assert.match(expected, /"keys"/);
    assert.equal(keys(byCommand('/bin/cat', file('root.key'))), expected);
    assert.equal(keys(byDescriptor, [openSync(file('root.key'), 'r')]), expected);
    const withFile = { KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE: file('passphrase') };
    assert.equal(keys({ ...byPassphrase(), ...withFile }), expected);
    assert.throws(() => keys(byPassphrase()), /cannot ask for the passphrase/);
    assert.throws(
      () => keys(byCommand('/bin/false')),
      /the command \/bin\/false ended with exit code 1/,
    );
  });

  test('a sealed key is written to a file in the clear, and no file is overwritten', async () => {
    const plain = file('opened.key');
    const sealed = file('wrapped.key.sealed');
    keywright(['root-key', 'wrap', '--from', file('root.key'), '--to', sealed]);
    keywright(['root-key', 'unwrap', '--from', sealed, '--to', plain]);
    assert.deepEqual(readFileSync(plain), Buffer.from(rootKey));
    assert.equal(statSync(plain).mode & 0o777, 0o600);
    // A file with the least sealing cost opens at once.
    const unwrapTo = ['root-key', 'unwrap', '--from', file('root.key.sealed'), '--to'];
    assert.match((await ended([...unwrapTo, plain], passphrase)).err, /opened\.key exists already/);
    const wrap = ['root-key', 'wrap', '--from', plain, '--to', sealed];
    assert.match((await ended(wrap, passphrase)).err, /wrapped\.key\.sealed exists already/);
    assert.match((await ended([...unwrapTo, file('x')], 'wrong one')).err, /does not open/);
    assert.equal(existsSync(file('x')), false);
    assert.match(
      (await ended([...wrap.slice(0, -1), file('y')], 'too short')).err,
      /has 9 bytes, at least 12 are needed/,
    );
  });

  test('a service starts with a key that was never in a file', async () => {
    const fresh = join(temporaryDirectory(), 'data');
    execFileSync(process.execPath, [main, 'root-key', 'init'], {
      env: { ...variables, KEYWRIGHT_DATA_DIR: fresh },
      input: passphrase,
    });
    assert.equal(statSync(fresh).mode & 0o777, 0o700);
    const service = await startService({
      dataDirectory: fresh,
      environment: {
        KEYWRIGHT_ROOT_KEY_PROVIDER: 'passphrase',
        KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE: file('passphrase'),
      },
    });
    assert.equal(existsSync(join(fresh, 'root.key')), false);
    await service.stop();
  });
});

/** The end of a command. */
async function ended(words: readonly string[], input: string) {
  const child = spawn(process.execPath, [main, ...words], { env: variables });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

describe('places with the key and the passphrase while the service runs', () => {
  const { test: testOfMemory } = testsThatNeed(
    process.platform === 'linux' && existsSync('/proc/self/mem')
      ? undefined
      : 'needs /proc of Linux',
  );
  const canaries = () => [
    canaryOfBytes('the root key', rootKey),
    canaryOfText('the passphrase', passphrase),
  ];

  testOfMemory(
    'nobody but the enclave: not the memory of the gateway, arguments, variables or logs',
    async () => {
      const starts: readonly [string, () => Promise<Sealed>][] = [
        ['file', () => start({ KEYWRIGHT_ROOT_KEY_FILE: file('root.key') })],
        ['command', () => start(byCommand('/bin/cat', file('root.key')))],
        [
          'descriptor',
          async () => {
            const service = await start(byDescriptor, ['pipe']);
            await service.isSealed(/waits/);
            service.inherited(3).end(rootKey);
            return service;
          },
        ],
        [
          'passphrase',
          async () => {
            const service = await start(byPassphrase());
            await service.isSealed(/unseal/);
            keywright(['unseal', '--data-dir', dataDirectory]);
            return service;
          },
        ],
        [
          'passphrase of a file',
          () =>
            start({ ...byPassphrase(), KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE: file('passphrase') }),
        ],
      ];
      for (const [provider, begin] of starts) {
        const service = await begin();
        await service.isReady();
        const [enclave = assert.fail()] = childrenOf(service.pid);
        // The search works, because it finds the key in the enclave.
        const [first] = canaries();
        assert.ok(first !== undefined);
        assert.equal(tracesOf([first], memoryOf(enclave)).length > 0, true, provider);
        const { stdout, stderr } = service.output();
        const written: Written[] = [
          ...memoryOf(service.pid),
          ...[service.pid, enclave].flatMap((pid) =>
            ['cmdline', 'environ'].map((name) => ({
              where: `${name} of ${pid}`,
              bytes: readFileSync(`/proc/${pid}/${name}`),
            })),
          ),
          { where: 'the log', bytes: Buffer.from(stdout) },
          { where: 'the standard error', bytes: Buffer.from(stderr) },
        ];
        assert.deepEqual(tracesOf(canaries(), written), [], provider);
        await service.stop();
      }
    },
  );
});

/** Returns the memory of a process without pages that it never touched, as in a core file. */
function memoryOf(pid: number): readonly Written[] {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
        if (from === '') return [];
        const region = { start: Number.parseInt(from, 16), end: Number.parseInt(to, 16) };
        const where = `the memory of ${pid}: ${line}`;
        return touchedRuns(pagemap, region).flatMap(({ start, end }) => {
          const bytes = Buffer.allocUnsafeSlow(end - start);
          try {
            const read = readSync(memory, bytes, 0, bytes.length, start);
            return [{ where, bytes: bytes.subarray(0, read) }];
          } catch {
            // The page was unmapped meanwhile.
            return [];
          }
        });
      });
  } finally {
    closeSync(memory);
    closeSync(pagemap);
  }
}

const pageBytes = 4096;
/** The high bits of an entry in /proc/PID/pagemap: the page is in memory or swapped out. */
const entryBytes = 8;
const touchedBits = 0b1100_0000;

/** Returns the runs of pages with content in a region. */
function touchedRuns(pagemap: number, region: Run): readonly Run[] {
  const pages = (region.end - region.start) / pageBytes;
  const entries = Buffer.alloc(pages * entryBytes);
  const read = readSync(
    pagemap,
    entries,
    0,
    entries.length,
    (region.start / pageBytes) * entryBytes,
  );
  if (read < entries.length) return [region];
  const runs: { start: number; end: number }[] = [];
  for (let page = 0; page < pages; page += 1) {
    if (((entries[page * entryBytes + entryBytes - 1] ?? 0) & touchedBits) === 0) continue;
    const start = region.start + page * pageBytes;
    const last = runs.at(-1);
    if (last?.end === start) last.end += pageBytes;
    else runs.push({ start, end: start + pageBytes });
  }
  return runs;
}

type Run = { readonly start: number; readonly end: number };
