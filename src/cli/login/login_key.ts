// The key that a login creates on this machine. It is stored before the request is sent, until the service
// accepts or refuses it. A later login can then resume.

import { rm } from 'node:fs/promises';
import {
  isMissingFile,
  makePrivateDirectoryOf,
  quoted,
  renameDurably,
  writePrivateFile,
} from '../files/files.ts';
import { keyFileBytes, openedKey, readStoredKey } from '../keys/key_file.ts';
import { requestsSeal, type SealChoice, sealIfRequested } from '../keys/new_passphrase.ts';
import { passphraseAsker } from '../keys/passphrases.ts';
import { isSealed, type KeyFile, type StoredKey } from '../keys/stored_key.ts';
import { changeProfiles, keyFileOf, type Profile } from '../profiles/profiles.ts';
import { isSurelyNotDone } from '../service/client_failures.ts';
import { newKey } from '../service/new_key.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';

/** The service and organization of a login, and the user if known. */
export type LoginTarget = Required<Pick<KeyFile, 'baseUrl' | 'organizationId'>> &
  Pick<KeyFile, 'userId'>;

/** A key that becomes the key of a profile after the login. */
export type LoginKey = {
  readonly key: KeyFile;
  /** True if an earlier, unfinished login created the key. The service may already know it. */
  readonly isFromEarlier: boolean;
  /** Path of the key file after the login. */
  readonly file: string;
  /** Makes it the key of the profile, and makes the profile current. */
  readonly keep: (profile: Profile) => Promise<void>;
  /** Removes the key if this login created it. */
  readonly drop: () => Promise<void>;
  /**
   * Calls `drop` if the error shows that the service did not register the key. Otherwise the next login uses
   * the key.
   */
  readonly dropUnlessDone: (error: unknown) => Promise<void>;
};

/**
 * Returns the key of an unfinished login with the same name and target, else a new key. Stores it as the
 * passphrase options request. Throws `conflict` if an unfinished login has another target, because its key
 * may still be approved.
 */
export async function loginKey(
  terminal: Terminal,
  name: string,
  target: LoginTarget,
  seal: SealChoice,
): Promise<LoginKey> {
  const file = keyFileOf(terminal, name);
  const fresh = `${file}.new`;
  await makePrivateDirectoryOf(fresh);
  const earlier = await readStoredKey(fresh).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  if (earlier !== undefined && !isFor(earlier, target)) throw otherLogin(name, earlier, fresh);
  const ask = passphraseAsker(seal['new-passphrase-file'], '--new-passphrase-file', terminal);
  const key =
    earlier === undefined
      ? { ...target, ...(await newKey()) }
      : await openedKey(earlier, fresh, ask);
  const isFromEarlier = earlier !== undefined;
  if (!isFromEarlier || (requestsSeal(seal) && !isSealed(earlier))) {
    const stored = await sealIfRequested(key, seal, terminal);
    await writePrivateFile(fresh, keyFileBytes(stored), { replaces: true });
  }
  const drop = async () => {
    // The service may already accept the key of an earlier login.
    if (!isFromEarlier) await rm(fresh, { force: true });
  };
  return {
    key,
    isFromEarlier,
    file,
    keep: async (profile) => {
      await renameDurably(fresh, file);
      await changeProfiles(terminal, ({ profiles }) => ({
        current: name,
        profiles: { ...profiles, [name]: profile },
      }));
    },
    drop,
    dropUnlessDone: async (error) => {
      if (isSurelyNotDone(error)) await drop();
    },
  };
}

const isFor = (key: StoredKey, { baseUrl, organizationId, userId }: LoginTarget): boolean =>
  key.baseUrl === baseUrl && key.organizationId === organizationId && key.userId === userId;

function otherLogin(name: string, { baseUrl = '' }: StoredKey, file: string): Failure {
  return new Failure({
    exit: 'conflict',
    code: 'login_pending',
    message: `An earlier login of profile ${name}, to ${baseUrl} or for another user there, has not ended: its key may be let in yet.`,
    next: `Take another name with --profile NAME, or forget that key: rm ${quoted(file)}`,
  });
}
