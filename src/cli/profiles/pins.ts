// The service's own public keys as they were at the first use: another key later is an error.

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
  type WayIn,
} from './profiles.ts';

/** Public keys by role, hex. */
export type PinnedKeys = Readonly<Record<string, string>>;

type Way = Pick<WayIn, 'organizationId' | 'profile' | 'profileName'>;

/** Pins of ways without a profile, by organization. */
const fileOf = (terminal: Terminal): string => join(configDirectory(terminal), 'pinned_keys.json');

/** The keys that were pinned for a way; undefined before the first use. */
export async function pinnedKeysOf(way: Way, terminal: Terminal): Promise<PinnedKeys | undefined> {
  if (way.profile !== undefined) return way.profile.pinnedKeys;
  return (await pinsWithoutProfile(terminal))[way.organizationId];
}

/**
 * The keys that profiles have pinned of a service; undefined where none has. All organizations of a service
 * share its keys, and which of them a login leads to is the word of the service. On this machine services
 * come and go at one address, and are told apart by organization.
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

/** Pins the keys that a client was told, where none are pinned, and says so. */
export async function pinKeys(
  { client, way }: { readonly client: Client; readonly way: Way },
  terminal: Terminal,
  output: Output,
): Promise<void> {
  if ((await pinnedKeysOf(way, terminal)) !== undefined) return;
  const keys = await client.serviceKeys();
  const { profileName } = way;
  if (profileName === undefined) {
    await makePrivateDirectoryOf(fileOf(terminal));
    await whileLocked(fileOf(terminal), async () => {
      const pins = { [way.organizationId]: keys, ...(await pinsWithoutProfile(terminal)) };
      const text = `${JSON.stringify(pins, undefined, 2)}\n`;
      await writePrivateFile(fileOf(terminal), new TextEncoder().encode(text), { replaces: true });
    });
  } else {
    await changeProfiles(terminal, (all) => {
      const profile = all.profiles[profileName];
      // A profile that another command ended meanwhile stays ended.
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
    // Pins that cannot be read are not made anew: that would trust whoever answers now.
    throw usage(
      `cannot read the pinned keys in ${path}`,
      'Restore the file, or remove it if you know why.',
    );
  }
}
