// The key that a login creates on this machine. It is written before the request is sent, and stays until the
// service accepts or refuses it, so that a login can be resumed.

import { rm } from 'node:fs/promises';
import {
  isMissingFile,
  makePrivateDirectoryOf,
  quoted,
  renameDurably,
  writePrivateFile,
} from '../files/files.ts';
import { keyFileBytes, openedKey, readStoredKey } from '../keys/key_file.ts';
import { asAsked, isSealAsked, type SealChoice } from '../keys/new_passphrase.ts';
import { passphraseAsker } from '../keys/passphrases.ts';
import { isSealed, type KeyFile, type StoredKey } from '../keys/stored_key.ts';
import { changeProfiles, keyFileOf, type Profile } from '../profiles/profiles.ts';
import { isSurelyNotDone } from '../service/client_failures.ts';
import { newKey } from '../service/new_key.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';

/** The service and organization of a login, if known in advance. */
export type LoginTarget = Required<Pick<KeyFile, 'baseUrl' | 'organizationId'>> &
  Pick<KeyFile, 'userId'>;

/** A key that may become the key of a profile. */
export type LoginKey = {
  readonly key: KeyFile;
  /** An earlier, unfinished login created it, so the service may know it. */
  readonly isFromEarlier: boolean;
  /** The file of the key after the login. */
  readonly file: string;
  /** Creates it the key of the profile, and the profile the current one. */
  readonly keep: (profile: Profile) => Promise<void>;
  /** Removes the key if it was never sent. */
  readonly drop: () => Promise<void>;
  /** Removes it where an error says that the service did nothing; else it stays for the next login. */
  readonly dropUnlessDone: (error: unknown) => Promise<void>;
};

/**
 * The key of an earlier login of this name to the same place that did not end, else a new one, in the file
 * as the passphrase options ask. Raises `conflict` where an earlier login went to another place: its key
 * may be let in yet.
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
  if (!isFromEarlier || (isSealAsked(seal) && !isSealed(earlier))) {
    const stored = await asAsked(key, seal, terminal);
    await writePrivateFile(fresh, keyFileBytes(stored), { replaces: true });
  }
  const drop = async () => {
    // A key of an earlier login may be good, whatever becomes of this one.
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
