// Providers of root keys in emulated hardware, by the recipes of docs/root-key.md.

import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readRotationStatus, rotationStatusPath } from '../../src/gateway/rotation/status_file.ts';
import {
  blockOf,
  type Environment,
  missingForPkcs11,
  missingForTpm2,
  newToken,
  runIn,
  settingsOf,
  settingsOfToken,
  startTpm,
  tokenIn,
} from './hardware_recipes.ts';
import type { Provider } from './rotated_providers.ts';
import { temporaryDirectory } from './service.ts';

/** One kind of hardware. It protects the key `root.key` of a folder. */
type Hardware = {
  /** Prepares the hardware of a data folder. */
  begin(top: string): Promise<Environment>;
  /** Returns the environment of copied hardware. Without it, each data folder has hardware of its own. */
  copied?(top: string): Environment;
  /** Protects the key of a folder. `isNext`: the current key stays. */
  protect(top: string, folder: string, environment: Environment, isNext: boolean): void;
  /** Returns the settings with the command that opens the key of a folder. */
  settings(folder: string, isNext: boolean): Record<string, string>;
};

const pkcs11: Hardware = {
  begin: async (top) => newToken(top),
  copied: tokenIn,
  protect: (top, folder, environment, isNext) => {
    if (isNext) copyFileSync(join(top, 'key-1', 'public.der'), join(folder, 'public.der'));
    // The token has one key pair, and the last command encrypts a root key with it.
    const commands = blockOf('pkcs11').trim().split('\n');
    runIn(folder, (isNext ? commands.slice(-1) : commands).join('\n'), environment);
  },
  settings: (folder) => settingsOfToken(join(folder, 'root.key.p11')),
};

const handles = ['0x81010001', '0x81010002'] as const;

const tpm2: Hardware = {
  begin: async (top) => (await startTpm(top)).environment,
  protect: (_, folder, environment, isNext) => {
    const commands = blockOf('tpm2').replace(handles[0], handles[isNext ? 1 : 0]);
    // The emulator has no resource manager, which removes what a command left in the TPM.
    runIn(folder, `tpm2_flushcontext -t\n${commands}`, environment);
  },
  settings: (_, isNext) => settingsOf('tpm2', { [handles[0]]: handles[isNext ? 1 : 0] }),
};

const hardwareOf = (data: string): string => join(data, '..', 'hardware');
const hasEnded = (data: string): boolean =>
  readRotationStatus(rotationStatusPath(data))?.state === 'ended';

/** Each hardware has the keys 1 and 2, and `key-N` has the N-th. `current` names the key of the service. */
function providerOf(hardware: Hardware): Provider {
  const environments = new Map<string, Environment>();
  const keys = new Map<string, Uint8Array>();
  /** Hardware that protects only its first key, by this key. Creating a key pair takes half a second. */
  const firsts = new Map<string, string>();
  const folderOf = (data: string, number: 1 | 2) => join(hardwareOf(data), `key-${number}`);
  const isRetired = (data: string) => existsSync(join(hardwareOf(data), 'retired'));
  const hasNext = (data: string) => existsSync(folderOf(data, 2));
  const commandOf = (data: string, number: 1 | 2) =>
    hardware.settings(folderOf(data, number), number === 2);

  function protect(data: string, number: 1 | 2, key: Uint8Array): void {
    const folder = folderOf(data, number);
    const making = `${folder}.making`;
    mkdirSync(making);
    writeFileSync(join(making, 'root.key'), key, { mode: 0o600 });
    hardware.protect(hardwareOf(data), making, environments.get(data) ?? {}, number === 2);
    rmSync(join(making, 'root.key'));
    renameSync(making, folder);
    keys.set(folder, key);
  }

  return {
    environment: (data) => {
      const { KEYWRIGHT_ROOT_KEY_COMMAND: command = '', ...settings } = commandOf(
        data,
        isRetired(data) ? 2 : 1,
      );
      const next = hasNext(data) && !isRetired(data) ? commandOf(data, 2) : {};
      return {
        ...environments.get(data),
        ...settings,
        KEYWRIGHT_ROOT_KEY_COMMAND: command,
        ...('KEYWRIGHT_ROOT_KEY_COMMAND' in next && {
          KEYWRIGHT_ROOT_KEY_NEXT_COMMAND: next['KEYWRIGHT_ROOT_KEY_COMMAND'] ?? '',
        }),
      };
    },
    adopt: async (data) => {
      const key = Uint8Array.from(readFileSync(join(data, 'root.key')));
      rmSync(join(data, 'root.key'));
      const top = hardwareOf(data);
      const name = Buffer.from(key).toString('hex');
      const first = firsts.get(name);
      if (first !== undefined && hardware.copied !== undefined) {
        cpSync(first, top, { recursive: true });
        environments.set(data, hardware.copied(top));
        keys.set(folderOf(data, 1), key);
        return;
      }
      mkdirSync(top);
      environments.set(data, await hardware.begin(top));
      protect(data, 1, key);
      if (hardware.copied === undefined) return;
      // The next keys of this data folder stay out of the copies.
      const copy = join(temporaryDirectory(), 'hardware');
      cpSync(top, copy, { recursive: true });
      firsts.set(name, copy);
    },
    giveNextKey: async (data) => protect(data, 2, Uint8Array.from(randomBytes(32))),
    isRotating: (data) => hasNext(data) && !hasEnded(data),
    keyIn: async (data) => {
      if (hasEnded(data) && hasNext(data)) writeFileSync(join(hardwareOf(data), 'retired'), '');
      return keys.get(folderOf(data, isRetired(data) ? 2 : 1)) ?? new Uint8Array(0);
    },
  };
}

/** The providers with an emulator on this machine, and the reasons for missing ones. */
export const hardwareProviders: Readonly<
  Record<string, { readonly provider: Provider; readonly missing: string | undefined }>
> = {
  pkcs11: { provider: providerOf(pkcs11), missing: missingForPkcs11 },
  tpm2: { provider: providerOf(tpm2), missing: missingForTpm2 },
};
