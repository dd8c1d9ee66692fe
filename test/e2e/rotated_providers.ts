// Providers of root keys that also provide a next key while the service runs.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSealedKeyFile } from '../../src/gateway/root_key/passphrase.ts';
import { readRotationStatus, rotationStatusPath } from '../../src/gateway/rotation/status_file.ts';
import { sealCheaply } from '../support/cheap_sealing.ts';

export type Provider = {
  /** Settings of a service over a data folder. They name the next key if it exists. */
  environment(data: string): Readonly<Record<string, string>>;
  /** Stores the key of `root.key` at this provider. */
  adopt(data: string): Promise<void>;
  giveNextKey(data: string): Promise<void>;
  /** Returns false after the rotation has ended. */
  isRotating(data: string): boolean;
  /** Returns the root key. After a rotation, that is the next key. */
  keyIn(data: string): Promise<Uint8Array>;
};

const passphrase = () => Buffer.from('a passphrase of the tests');
const sealedIn = (data: string) => join(data, 'root.key.sealed');
const ownKeyIn = (data: string) => join(data, 'key-of-command');
const nextKeyIn = (data: string) => join(data, 'next-key-of-command');
const writeKey = (path: string) => writeFileSync(path, randomBytes(32), { mode: 0o600 });
const writeSealed = async (path: string, key: Uint8Array) =>
  writeFileSync(path, await sealCheaply(key, passphrase()), { mode: 0o600 });
const print = (path: string) => JSON.stringify(['/bin/cat', path]);
const hasEnded = (data: string) => readRotationStatus(rotationStatusPath(data))?.state === 'ended';

export const providers = {
  file: {
    environment: () => ({}),
    adopt: async () => undefined,
    giveNextKey: async (data) => writeKey(join(data, 'root.key.next')),
    isRotating: (data) => existsSync(join(data, 'root.key.next')),
    keyIn: async (data) => Uint8Array.from(readFileSync(join(data, 'root.key'))),
  },
  passphrase: {
    environment: (data) => ({
      KEYWRIGHT_ROOT_KEY_PROVIDER: 'passphrase',
      KEYWRIGHT_ROOT_KEY_PASSPHRASE_FILE: join(data, 'passphrase'),
    }),
    adopt: async (data) => {
      writeFileSync(join(data, 'passphrase'), passphrase(), { mode: 0o600 });
      await writeSealed(sealedIn(data), readFileSync(join(data, 'root.key')));
      rmSync(join(data, 'root.key'));
    },
    giveNextKey: (data) => writeSealed(`${sealedIn(data)}.next`, randomBytes(32)),
    isRotating: (data) => existsSync(`${sealedIn(data)}.next`),
    keyIn: async (data) =>
      (await readSealedKeyFile(sealedIn(data)).open(passphrase())) ?? assert.fail('it opens'),
  },
  command: {
    environment: (data) => ({
      KEYWRIGHT_ROOT_KEY_PROVIDER: 'command',
      KEYWRIGHT_ROOT_KEY_COMMAND: print(ownKeyIn(data)),
      ...(existsSync(nextKeyIn(data)) && {
        KEYWRIGHT_ROOT_KEY_NEXT_COMMAND: print(nextKeyIn(data)),
      }),
    }),
    adopt: async (data) => renameSync(join(data, 'root.key'), ownKeyIn(data)),
    giveNextKey: async (data) => writeKey(nextKeyIn(data)),
    isRotating: (data) => existsSync(nextKeyIn(data)) && !hasEnded(data),
    // The operator replaces the command of the key by the command of the next key.
    keyIn: async (data) => {
      if (hasEnded(data) && existsSync(nextKeyIn(data))) {
        renameSync(nextKeyIn(data), ownKeyIn(data));
      }
      return Uint8Array.from(readFileSync(ownKeyIn(data)));
    },
  },
} satisfies Record<string, Provider>;
