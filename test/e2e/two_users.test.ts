// The enclave as its own user: the gateway signs through a socket, and can read neither the root key nor the
// memory of the processes that have it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { httpClient, timestampMs } from './clients.ts';
import { childrenOf, isRunning, type RunningService, until } from './service.ts';
import {
  as,
  asGateway,
  isRoot,
  main,
  makePlace,
  noCache,
  startEnclaveSide,
  startEnclaveSideInVain,
  startGateway,
  users,
} from './two_users.ts';

const place = makePlace();
let enclaves = await startEnclaveSide(place);
const gateway = await startGateway(place);
after(async () => {
  await gateway.stop();
  await enclaves.stop();
});

describe('a gateway without the root key', () => {
  test('signs by an enclave that it did not start', async () => {
    assert.deepEqual(childrenOf(gateway.pid), []);
    assert.equal(enclaves.started().length, 1);
    await makeWallet(gateway, 'first');
  });

  test('gets another enclave after a kill', async () => {
    const [first = 0] = enclaves.started();
    process.kill(first, 'SIGKILL');
    await until('an enclave follows', () => enclaves.started().length === 2);
    await until('it is ready', async () => (await fetch(`${gateway.baseUrl}/health/ready`)).ok);
    await makeWallet(gateway, 'second');
  });

  test('waits for the other process, and continues after its restart', async () => {
    const last = enclaves.started().at(-1) ?? 0;
    await enclaves.kill();
    // The enclave has a connection only to the gateway, so it survives the process that started it.
    assert.equal(isRunning(last), true);
    process.kill(last, 'SIGKILL');
    const notReady = async () => {
      const answer = await fetch(`${gateway.baseUrl}/health/ready`);
      return /waits for the process that runs the enclaves/.test(await answer.text());
    };
    await until('the gateway says what it waits for', notReady);
    enclaves = await startEnclaveSide(place);
    await until('it is ready', async () => (await fetch(`${gateway.baseUrl}/health/ready`)).ok);
    await makeWallet(gateway, 'third');
  });

  test('keeps its enclave when a second process is started for the same socket', async () => {
    const { code, stderr } = await startEnclaveSideInVain(place);
    assert.equal(code, 1);
    assert.match(stderr, /the socket .*enclave\.sock is in use by another process/);
    await makeWallet(gateway, 'fourth');
    assert.equal(existsSync(place.socket), true);
  });

  test('takes a backup without the root key', () => {
    const to = join(place.data, 'backup');
    const words = [...asGateway(), process.execPath, main, 'backup', '--to', to];
    const [first = '', ...rest] = words;
    const { status, stderr } = spawnSync(first, rest, {
      encoding: 'utf8',
      env: {
        ...noCache,
        PATH: process.env['PATH'],
        KEYWRIGHT_DATA_DIR: place.data,
        KEYWRIGHT_ENCLAVE_SOCKET: place.socket,
      },
    });
    assert.equal(status, 0, stderr);
    assert.equal(existsSync(join(to, 'manifest.json')), true);
    assert.equal(existsSync(join(place.data, 'root.key')), false);
  });
});

describe('the rights of its user', () => {
  const { test } = testsThatNeed(isRoot ? undefined : 'only root can run processes as other users');
  /** Exit status of a program: 0, or the number of the system's error. */
  const tried = (words: readonly string[], ...program: readonly string[]): number | null => {
    const [first = '', ...rest] = [...words, ...program];
    return spawnSync(first, rest, { stdio: 'ignore' }).status;
  };
  const perl = (text: string) => ['perl', '-e', text];
  const opens = (path: string) => perl(`open(my $f, '<', '${path}') or exit $!+0; exit 0`);
  const lists = (path: string) => perl(`opendir(my $f, '${path}') or exit $!+0; exit 0`);
  const attaches = (pid: number) => {
    const call = process.arch === 'arm64' ? 117 : 101;
    return perl(`exit(syscall(${call}, 16, ${pid}, 0, 0) == 0 ? 0 : $!+0)`);
  };
  const signals = (pid: number) => perl(`kill(0, ${pid}) or exit $!+0; exit 0`);
  const refused = { EPERM: 1, EACCES: 13 };
  const targets = () => [enclaves.pid, enclaves.started().at(-1) ?? 0];

  test('do not reach the root key', () => {
    assert.equal(tried(as(users.enclave), ...opens(place.rootKeyFile)), 0);
    assert.equal(tried(asGateway(), ...opens(place.rootKeyFile)), refused.EACCES);
    assert.equal(tried(asGateway(), ...lists(join(place.top, 'enclave'))), refused.EACCES);
    assert.equal(statSync(place.socket).mode & 0o777, 0o660);
  });

  test('do not reach the memory of the enclave, or of the process that starts it', () => {
    for (const pid of targets()) {
      for (const name of ['mem', 'environ', 'maps', 'syscall', 'auxv']) {
        assert.equal(tried([], ...opens(`/proc/${pid}/${name}`)), 0, `root opens ${name}`);
        assert.equal(tried(asGateway(), ...opens(`/proc/${pid}/${name}`)), refused.EACCES, name);
      }
      assert.equal(tried(asGateway(), ...lists(`/proc/${pid}/fd`)), refused.EACCES);
      assert.equal(tried(asGateway(), ...attaches(pid)), refused.EPERM);
      assert.equal(tried(asGateway(), ...signals(pid)), refused.EPERM);
    }
    // The same attempts succeed with permission, so the test is valid. An attached process stops.
    const [first = '', ...rest] = [...asGateway(), 'sleep', '600'];
    const own = spawn(first, rest, { stdio: 'ignore' });
    try {
      const pid = own.pid ?? 0;
      assert.equal(tried(asGateway(), ...signals(gateway.pid)), 0);
      assert.equal(tried([], ...attaches(pid)), 0);
    } finally {
      own.kill('SIGKILL');
    }
  });

  test('do not allow other users to connect to the socket', () => {
    const connects = perl(
      `use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un('${place.socket}')) or exit $!+0; exit 0`,
    );
    assert.equal(tried(as(users.gateway), ...connects), refused.EACCES);
  });

  test('the memory of the gateway has no root key', () => {
    assert.equal(countInMemory(gateway.pid, place.rootKey), 0);
    // The search works, because it finds the key in the enclave.
    assert.notEqual(countInMemory(enclaves.pid, place.rootKey), 0);
    assert.notEqual(countInMemory(gateway.pid, Buffer.from(gateway.credentials.organizationId)), 0);
  });
});

async function makeWallet(service: RunningService, walletName: string): Promise<void> {
  const { activity } = await httpClient(service).createWallet({
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    timestampMs: timestampMs(),
    organizationId: service.credentials.organizationId,
    parameters: { walletName, accounts: [] },
  });
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
}

/** Counts the occurrences of bytes in the writable memory of a process. */
function countInMemory(pid: number, wanted: Uint8Array): number {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    let count = 0;
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '0', to = '0'] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      count += countBetween(memory, BigInt(`0x${from}`), BigInt(`0x${to}`), wanted);
    }
    return count;
  } finally {
    closeSync(memory);
  }
}

const pieceBytes = 4 * 1024 * 1024;

function countBetween(memory: number, from: bigint, to: bigint, wanted: Uint8Array): number {
  const piece = Buffer.alloc(pieceBytes + wanted.length);
  let count = 0;
  for (let at = from; at < to; at += BigInt(pieceBytes)) {
    const length = Number(to - at < BigInt(piece.length) ? to - at : BigInt(piece.length));
    let read = 0;
    try {
      read = readSync(memory, piece, 0, length, at);
    } catch {
      // The page was released meanwhile, or belongs to the kernel.
      continue;
    }
    const part = piece.subarray(0, read);
    for (let found = part.indexOf(wanted); found !== -1; found = part.indexOf(wanted, found + 1)) {
      count += 1;
    }
  }
  return count;
}
