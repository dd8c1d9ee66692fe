// Public keys of the service, pinned at the first use. A different key later is an error.

import { join } from 'node:path';
import type { Client } from '../../client/connect.ts';
import {
  isMissingFile,
  makePrivateDirectoryOf,
  readPrivateText,
  whileLocked,
  writePrivateFile,
} from '../files/files.ts';
import type { Output } from '../output/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, usage } from '../words/failures.ts';
import {
  changeProfiles,
  configDirectory,
  isLoopback,
  type Profile,
  type Profiles,
  type ResolvedLogin,
} from './profiles.ts';

/** Public keys by role, in hex. */
export type PinnedKeys = Readonly<Record<string, string>>;

type PinnedLogin = Pick<ResolvedLogin, 'organizationId' | 'profile' | 'profileName'>;

/** File with the pins of logins without a profile, by organization. */
const fileOf = (terminal: Terminal): string => join(configDirectory(terminal), 'pinned_keys.json');

/** Returns the pinned keys of a login; undefined before the first use. */
export async function pinnedKeysOf(
  login: PinnedLogin,
  terminal: Terminal,
): Promise<PinnedKeys | undefined> {
  if (login.profile !== undefined) return login.profile.pinnedKeys;
  return (await pinsWithoutProfile(terminal))[login.organizationId];
}

/**
 * Returns the keys that a profile pinned for the same service; undefined if there is none. All organizations
 * of a service share its keys. On loopback, different services may use one address, so the organization must
 * match too.
 */
export function pinsOfService(
  { profiles }: Profiles,
  { url, organizationId }: Pick<Profile, 'url' | 'organizationId'>,
): PinnedKeys | undefined {
  const { origin } = new URL(url);
  const isSame = (profile: Profile): boolean =>
    URL.parse(profile.url)?.origin === origin &&
    (!isLoopback(url) || profile.organizationId === organizationId);
  return Object.values(profiles).find((each) => isSame(each) && each.pinnedKeys !== undefined)
    ?.pinnedKeys;
}

/** Pins the keys of the service if none are pinned yet, and prints a note. */
export async function pinKeys(
  { client, login }: { readonly client: Client; readonly login: PinnedLogin },
  terminal: Terminal,
  output: Output,
): Promise<void> {
  if ((await pinnedKeysOf(login, terminal)) !== undefined) return;
  const keys = await client.serviceKeys();
  const { profileName } = login;
  if (profileName === undefined) {
    await makePrivateDirectoryOf(fileOf(terminal));
    await whileLocked(fileOf(terminal), async () => {
      const pins = { [login.organizationId]: keys, ...(await pinsWithoutProfile(terminal)) };
      const text = `${JSON.stringify(pins, undefined, 2)}\n`;
      await writePrivateFile(fileOf(terminal), new TextEncoder().encode(text), { replaces: true });
    });
  } else {
    await changeProfiles(terminal, (all) => {
      const profile = all.profiles[profileName];
      // Another command may have removed the profile; do not restore it.
      if (profile === undefined) return all;
      const pinned = { pinnedKeys: keys, ...profile };
      return { ...all, profiles: { ...all.profiles, [profileName]: pinned } };
    });
  }
  output.note(
    `Pinned the keys of the service; compare them with keywright keys, run at the service.`,
  );
}

async function pinsWithoutProfile(
  terminal: Terminal,
): Promise<Readonly<Record<string, PinnedKeys>>> {
  const path = fileOf(terminal);
  try {
    return JSON.parse(await readPrivateText(path));
  } catch (error) {
    if (isMissingFile(error)) return {};
    if (error instanceof Failure) throw error;
    // Never replace unreadable pins, because new pins would trust the current answer.
    throw usage(
      `cannot read the pinned keys in ${path}`,
      'Restore the file, or remove it if you know why.',
    );
  }
}
