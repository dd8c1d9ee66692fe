// A service in two processes: one runs the enclaves and has the root key, the other is the gateway. In tests
// that run as root, each has its own user.

import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceProgram } from '../support/compiled_service.ts';
import { launch, type RunningService, startService, temporaryDirectory, until } from './service.ts';

export const isRoot = process.getuid?.() === 0;

/** Users that no package creates. */
export const users = { enclave: 61_001, gateway: 61_002 };

export const { main } = serviceProgram();
/** Each user has its own compile cache, and these users can write none. */
export const noCache = { NODE_DISABLE_COMPILE_CACHE: '1' };

export type Place = {
  readonly top: string;
  readonly rootKeyFile: string;
  readonly socket: string;
  readonly data: string;
  readonly rootKey: Uint8Array;
};

/** Creates folders like those of the package, each owned by its user. */
export function makePlace(): Place {
  const top = temporaryDirectory();
  chmodSync(top, 0o755);
  const make = (name: string, mode: number, user: number): string => {
    const path = join(top, name);
    mkdirSync(path);
    chmodSync(path, mode);
    if (isRoot) chownSync(path, user, user);
    return path;
  };
  const rootKey = crypto.getRandomValues(new Uint8Array(32));
  const rootKeyFile = join(make('enclave', 0o700, users.enclave), 'root.key');
  writeFileSync(rootKeyFile, rootKey, { mode: 0o600 });
  if (isRoot) chownSync(rootKeyFile, users.enclave, users.enclave);
  return {
    top,
    rootKeyFile,
    socket: join(make('run', 0o750, users.enclave), 'enclave.sock'),
    data: make('gateway', 0o700, users.gateway),
    rootKey,
  };
}

/** Returns the words before a command that run it as a user with additional groups. */
export function as(user: number, groups: readonly number[] = []): readonly string[] {
  if (!isRoot) return [];
  const others = groups.length === 0 ? '--clear-groups' : `--groups=${groups}`;
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, others];
}

export type EnclaveSide = {
  readonly pid: number;
  /** IDs of its enclaves in the order of their starts. */
  started(): readonly number[];
  kill(): Promise<void>;
  /** Sends SIGTERM, and requires exit code 0. */
  stop(): Promise<void>;
};

/** Starts the process that runs the enclaves, and returns it once it listens. */
export async function startEnclaveSide(
  place: Place,
  environment: Readonly<Record<string, string>> = {},
): Promise<EnclaveSide> {
  const { child, output, ended } = launchEnclaveSide(place, environment);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };
  await until('it listens', () => child.exitCode !== null || /"msg":"ready"/.test(output().stdout));
  assert.equal(child.exitCode, null, output().stderr);
  assert(child.pid !== undefined);
  return {
    pid: child.pid,
    started: () =>
      [...output().stdout.matchAll(/"pid":(\d+),"msg":"an enclave was started"/g)].map(([, pid]) =>
        Number(pid),
      ),
    kill: async () => {
      await end('SIGKILL');
    },
    stop: async () => {
      const { code, stderr } = await end('SIGTERM');
      assert.equal(code, 0, stderr);
    },
  };
}

/** Starts the process that runs the enclaves, and returns its end. */
export const startEnclaveSideInVain = (place: Place) => launchEnclaveSide(place, {}).ended;

const launchEnclaveSide = (place: Place, environment: Readonly<Record<string, string>>) =>
  launch({
    dataDirectory: join(place.top, 'enclave'),
    command: [...as(users.enclave), process.execPath, main, 'enclave'],
    environment: {
      ...noCache,
      KEYWRIGHT_ENCLAVE_SOCKET: place.socket,
      KEYWRIGHT_ROOT_KEY_FILE: place.rootKeyFile,
      ...environment,
    },
  });

/** Starts the gateway, as a user who is in the group of the enclaves' user. */
export function startGateway(place: Place): Promise<RunningService> {
  return startService({
    dataDirectory: place.data,
    command: [...asGateway(), process.execPath, main, 'serve'],
    environment: { ...noCache, KEYWRIGHT_ENCLAVE_SOCKET: place.socket },
  });
}

export const asGateway = (): readonly string[] => as(users.gateway, [users.enclave]);
