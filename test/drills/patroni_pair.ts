// A primary and its synchronous standby under Patroni, with a lease in etcd, from the packages of Debian.
// Only Patroni decides which server becomes the primary, and when.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, until } from '../e2e/service.ts';
import { runOn } from '../store/postgres_server.ts';
import { freePort } from '../support/free_port.ts';
import type { PostgresPair } from './postgres_pair.ts';

const etcd = '/usr/bin/etcd';
const patroni = '/usr/bin/patroni';
const debian = '/usr/lib/postgresql';
const password = 'secret-of-the-drill';
const database = 'keywright';

/** Seconds, the defaults of Patroni with a shorter round. The lease of a dead primary ends after `ttl`. */
const timing = { ttl: 30, loop_wait: 2, retry_timeout: 10 };

/** Returns the reason why Patroni cannot start on this machine; undefined if it can. */
export function missingPatroni(): string | undefined {
  const missing = [etcd, patroni, debian].filter((path) => !existsSync(path));
  if (missing.length === 0) return undefined;
  return `${missing.join(', ')} is not there: install etcd-server, patroni and postgresql`;
}

type Member = {
  readonly url: string;
  readonly data: string;
  readonly process: ChildProcess;
};

/** Starts etcd and two members. Every commit then waits for the standby. */
export async function startPatroniPair(): Promise<PostgresPair> {
  const folder = temporaryDirectory();
  const owner = process.getuid?.() === 0 ? idsOf('nobody') : undefined;
  const owned = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, stdio: 'ignore' } as const;
  const started: ChildProcess[] = [];
  const members: Member[] = [];

  async function startEtcd(): Promise<string> {
    const [client, peer] = [await freePort(), await freePort()];
    const at = (port: number) => `http://127.0.0.1:${port}`;
    const flags = [
      ...['--data-dir', owned('etcd'), '--initial-cluster', `default=${at(peer)}`],
      ...['--listen-client-urls', at(client), '--advertise-client-urls', at(client)],
      ...['--listen-peer-urls', at(peer), '--initial-advertise-peer-urls', at(peer)],
    ];
    started.push(spawn(etcd, flags, options));
    await until('etcd answers', async () => {
      const answer = await fetch(`${at(client)}/health`).catch(() => undefined);
      return answer?.ok === true;
    });
    return `127.0.0.1:${client}`;
  }

  async function startMember(name: string, lease: string): Promise<Member> {
    const [port, rest] = [await freePort(), await freePort()];
    const at = (each: number) => `127.0.0.1:${each}`;
    const directory = owned(name);
    const data = join(directory, 'data');
    const credentials = (username: string) => ({ username, password });
    const configuration = {
      scope: 'drill',
      name,
      etcd3: { host: lease },
      restapi: { listen: at(rest), connect_address: at(rest) },
      bootstrap: {
        dcs: { ...timing, synchronous_mode: true, primary_start_timeout: 0 },
        initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      },
      postgresql: {
        listen: at(port),
        connect_address: at(port),
        data_dir: data,
        bin_dir: join(debian, newest(debian), 'bin'),
        pgpass: join(directory, 'pgpass'),
        basebackup: [{ checkpoint: 'fast' }],
        parameters: { unix_socket_directories: directory, shared_buffers: '32MB' },
        pg_hba: [
          'local all all scram-sha-256',
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
        authentication: {
          superuser: credentials('keywright'),
          replication: credentials('replicator'),
        },
      },
    };
    const file = join(directory, 'patroni.yml');
    // Patroni reads YAML, which includes JSON.
    writeFileSync(file, JSON.stringify(configuration));
    const child = spawn(patroni, [file], options);
    started.push(child);
    const url = `postgres://keywright:${password}@${at(port)}/postgres`;
    const member = { url, data, process: child };
    members.push(member);
    return member;
  }

  const remove = async (): Promise<void> => {
    const ended = started
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((child) => once(child, 'exit'));
    for (const child of started) child.kill('SIGKILL');
    await Promise.all(ended);
    for (const member of members) signalServer(member, 'SIGKILL');
  };

  try {
    const lease = await startEtcd();
    const primary = await startMember('one', lease);
    await until('the first member takes writes', () => takesWrites(primary.url));
    await runOn(primary.url, `CREATE DATABASE ${database}`);
    const standby = await startMember('two', lease);
    await until('the standby is synchronous', async () => {
      const [row] = await runOn(primary.url, 'SELECT sync_state FROM pg_stat_replication');
      return row?.['sync_state'] === 'sync';
    });
    const hosts = members.map(({ url }) => new URL(url).host).join(',');
    const databaseUrl = primary.url
      .replace(new URL(primary.url).host, hosts)
      .replace(/postgres$/, database);
    return {
      primary,
      standby,
      databaseUrl,
      remove,
      // Patroni is lost with its machine, so it does not return the lease.
      signalPrimary: (signal) => {
        primary.process.kill(signal);
        signalServer(primary, signal);
      },
      promote: () =>
        until('Patroni has promoted', () => takesWrites(standby.url), { timeoutMs: 120_000 }),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function takesWrites(url: string): Promise<boolean> {
  try {
    const [row] = await runOn(url, 'SELECT NOT pg_is_in_recovery() AS writes');
    return row?.['writes'] === true;
  } catch {
    // The server has not started yet.
    return false;
  }
}

/** Sends a signal to every process of a started server. */
function signalServer({ data }: Pick<Member, 'data'>, signal: NodeJS.Signals): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [first = ''] = readFileSync(file, 'utf8').split('\n');
  for (const pid of [first, ...childrenOf(first)]) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // The process has already ended.
    }
  }
}

function childrenOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  } catch {
    return [];
  }
}

function newest(folder: string): string {
  return (
    readdirSync(folder)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1) ?? ''
  );
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}
