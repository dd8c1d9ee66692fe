// Profiles: which service and organization a command means, and with which key.

import { join, resolve } from 'node:path';
import {
  isMissingFile,
  makePrivateDirectoryOf,
  quoted,
  readPrivateText,
  whileLocked,
  writePrivateFile,
} from '../files/files.ts';
import { keyOfProgram, openedKey, readFoundKey, readStoredKey } from '../keys/key_file.ts';
import { type AskPassphrase, passphraseAsker } from '../keys/passphrases.ts';
import type { KeyFile, StoredKey } from '../keys/stored_key.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { Failure, usage } from '../words/failures.ts';
import { objectOf } from '../words/json_object.ts';
import { didYouMean } from '../words/names.ts';

/** The stored part of a login. Keys are in files of their own, or printed by a program. */
export type Profile = {
  readonly url: string;
  readonly organizationId: string;
  /** The user at the time of the login, shown to people. */
  readonly userName?: string;
  /** Prints the key file's content; the first word is the program, no shell reads it. */
  readonly keyCommand?: readonly string[];
  /** Public keys of the service as they were at the first use, by name. */
  readonly pinnedKeys?: Readonly<Record<string, string>>;
};

export type Profiles = {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
};

/** The target and the key of a command; `key` opens the secret on first use. */
export type ResolvedLogin = {
  readonly url: string;
  readonly organizationId: string;
  readonly profileName: string | undefined;
  readonly profile: Profile | undefined;
  /** The file, or the program, that the key is read from: for messages. */
  readonly keySource: string;
  /** The key; the first call asks for its passphrase where it has one. */
  readonly key: () => Promise<KeyFile>;
};

/** Uses the address instead of the name: at `localhost` another user of the machine may listen at ::1. */
export const usualUrl = 'http://127.0.0.1:8080';

export function configDirectory({ environment, homeDirectory }: Terminal): string {
  const base = environment['XDG_CONFIG_HOME'] || join(homeDirectory, '.config');
  return join(base, 'keywright');
}

const configFile = (terminal: Terminal): string => join(configDirectory(terminal), 'config.json');

/** The file of a profile's key. */
export const keyFileOf = (terminal: Terminal, name: string): string =>
  join(configDirectory(terminal), 'keys', `${name}.json`);

/** A name that a file can have everywhere. Raises `usage`. */
export function checkedName(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) return name;
  throw usage(`"${name}" is no name of a profile: expected letters, digits, - and _, at most 64`);
}

/** All profiles; none where nothing was ever kept. */
export async function readProfiles(terminal: Terminal): Promise<Profiles> {
  const path = configFile(terminal);
  const text = await readPrivateText(path).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  if (text === undefined) return { profiles: {} };
  const { current, profiles = {} } = objectOf(text, path);
  if (!isObject(profiles)) throw malformed(path, 'profiles are not an object');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile)) throw malformed(path, `profile ${name} is not an object`);
    for (const [member, row] of Object.entries(profileMembers)) {
      const value = profile[member];
      const isGood = value === undefined ? row.isOptional : row.fits(value);
      if (!isGood) throw malformed(path, `profile ${name}: ${member} is not ${row.expected}`);
    }
  }
  return {
    ...(typeof current === 'string' ? { current } : {}),
    // The table has every member of the type.
    profiles: profiles as Profiles['profiles'],
  };
}

type Member = {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly isOptional: boolean;
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWords = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText) && value[0] !== '';

/** People write `keyCommand` by hand, and may slip. */
const profileMembers: Readonly<Record<keyof Profile, Member>> = {
  url: { expected: 'a text', fits: isText, isOptional: false },
  organizationId: { expected: 'a text', fits: isText, isOptional: false },
  userName: { expected: 'a text', fits: isText, isOptional: true },
  keyCommand: {
    expected: 'a list of words, the program first',
    fits: isWords,
    isOptional: true,
  },
  pinnedKeys: {
    expected: 'an object of texts',
    fits: (value) => isObject(value) && Object.values(value).every(isText),
    isOptional: true,
  },
};

const malformed = (path: string, what: string): Failure =>
  usage(`${path} cannot be used: ${what}`, 'Correct it there; docs/cli.md shows the form.');

/**
 * Changes the profiles atomically: a change of another command is not lost. `change` receives the current
 * profiles. Raises `usage` if another command holds the lock for seconds.
 */
export async function changeProfiles(
  terminal: Terminal,
  change: (profiles: Profiles) => Profiles,
): Promise<void> {
  const path = configFile(terminal);
  await makePrivateDirectoryOf(path);
  await whileLocked(path, async () => {
    const text = `${JSON.stringify(change(await readProfiles(terminal)), undefined, 2)}\n`;
    await writePrivateFile(path, new TextEncoder().encode(text), { replaces: true });
  });
}

/** Forgets a profile; where it is the current one, none is. Its key file stays. */
export async function forgetProfile(terminal: Terminal, name: string): Promise<void> {
  await changeProfiles(terminal, ({ current, profiles }) => {
    const { [name]: _forgotten, ...others } = profiles;
    const isKept = current !== undefined && current !== name;
    return { ...(isKept ? { current } : {}), profiles: others };
  });
}

/**
 * Finds the service and the key. Flags override the environment, and the environment overrides the profile.
 * The service and organization of a key that a flag names override variables. The root credentials of this
 * folder are the last resort, only for a service on this machine. The key of a profile stamps for another
 * address only if `--url` names that address. Raises `usage` with the command to type if there is no key.
 */
export async function resolveLogin(
  { profile, url, organization, credentials, 'key-passphrase-file': passphraseFile }: CommonValues,
  terminal: Terminal,
): Promise<ResolvedLogin> {
  const { environment } = terminal;
  const ask = passphraseAsker(
    passphraseFile ?? environment['KEYWRIGHT_KEY_PASSPHRASE_FILE'],
    '--key-passphrase-file',
    terminal,
  );
  // A profile that is named by a flag is stronger than a file that is named by a variable.
  const usualFile = profile === undefined ? environment['KEYWRIGHT_CREDENTIALS_FILE'] : undefined;
  const file = credentials ?? usualFile;
  const named = await findProfile(profile ?? environment['KEYWRIGHT_PROFILE'], file, terminal);
  const usual = {
    url: environment['KEYWRIGHT_URL'],
    organization: environment['KEYWRIGHT_ORGANIZATION_ID'],
  };
  const asked = { url: url ?? usual.url, organization: organization ?? usual.organization, ask };
  if (file !== undefined) {
    const key = await readStoredKey(file);
    if (credentials === undefined) return wayWith(key, file, asked);
    return wayWith(key, file, {
      url: url ?? key.baseUrl ?? usual.url,
      organization: organization ?? key.organizationId ?? usual.organization,
      ask,
    });
  }
  if (named !== undefined) {
    const { name, profile: kept } = named;
    const keySource = kept.keyCommand?.join(' ') ?? keyFileOf(terminal, name);
    const isByFlag = profile !== undefined;
    if (url === undefined && !isByFlag && usual.url !== undefined) {
      requireSameAddress(usual.url, name, kept.url);
    }
    return {
      url: checkedUrl(url ?? kept.url),
      organizationId:
        organization ?? (isByFlag ? undefined : usual.organization) ?? kept.organizationId,
      profileName: name,
      profile: kept,
      keySource,
      key: once(async () => {
        const stored = await (kept.keyCommand === undefined
          ? readStoredKey(keySource)
          : keyOfProgram(kept.keyCommand, terminal));
        return openedKey(stored, keySource, ask);
      }),
    };
  }
  for (const folder of [environment['KEYWRIGHT_DATA_DIR'] ?? 'data', '.keywright']) {
    const path = resolve(terminal.workingDirectory, folder, 'root-credentials.json');
    const key = await readFoundKey(path).catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (key === undefined) continue;
    const way = wayWith(key, path, asked);
    if (isLoopback(way.url)) return way;
  }
  throw new Failure({
    exit: 'usage',
    code: 'no_key',
    message: 'There is no key to sign requests with.',
    next: 'keywright login --with FILE keeps one; or give --credentials FILE.',
  });
}

/**
 * Returns the address of the service for commands that sign nothing: by `resolveLogin`, or the named or
 * default address. Raises `usage` for an invalid address.
 */
export async function findServiceUrl(
  common: CommonValues,
  terminal: Terminal,
): Promise<{ readonly url: string; readonly organizationId: string | undefined }> {
  try {
    return await resolveLogin(common, terminal);
  } catch (error) {
    const { code = '' } = error instanceof Failure ? error : {};
    if (!['no_key', otherAddress].includes(code)) throw error;
    const url = checkedUrl(common.url ?? terminal.environment['KEYWRIGHT_URL'] ?? usualUrl);
    return { url, organizationId: common.organization };
  }
}

const otherAddress = 'other_address';

/**
 * Raises `usage` unless a variable names the address of the profile. A server at another address could
 * forward a stamped request to the service of the profile, which would accept it.
 */
function requireSameAddress(named: string, profileName: string, profileUrl: string): void {
  if (new URL(checkedUrl(named)).origin === new URL(checkedUrl(profileUrl)).origin) return;
  throw new Failure({
    exit: 'usage',
    code: otherAddress,
    message: `KEYWRIGHT_URL is ${named}, and the key of profile ${profileName} is for ${profileUrl}`,
    next: `Unset KEYWRIGHT_URL, name another profile with --profile, or add --url ${quoted(named)} to sign for that address.`,
  });
}

type AskedWay = {
  readonly url: string | undefined;
  readonly organization: string | undefined;
  /** Prompts for the passphrase of the key, if it has one. */
  readonly ask: AskPassphrase;
};

/** Runs the work once, so that each passphrase is typed and each file read once. */
function once<R>(work: () => Promise<R>): () => Promise<R> {
  let done: Promise<R> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Returns the target in a key file, unless an address or an organization was named. */
export function wayWith(
  stored: StoredKey,
  keySource: string,
  { url, organization, ask }: AskedWay,
): ResolvedLogin {
  const organizationId = organization ?? stored.organizationId;
  if (organizationId === undefined) {
    throw usage(`${keySource} names no organization: give --organization ID`);
  }
  return {
    url: checkedUrl(url ?? stored.baseUrl ?? usualUrl),
    organizationId,
    profileName: undefined,
    profile: undefined,
    keySource,
    key: once(() => openedKey(stored, keySource, ask)),
  };
}

/** Returns the named profile, or the current one unless a key file was given. */
async function findProfile(
  asked: string | undefined,
  file: string | undefined,
  terminal: Terminal,
): Promise<{ readonly name: string; readonly profile: Profile } | undefined> {
  if (asked === undefined && file !== undefined) return undefined;
  const { current, profiles } = await readProfiles(terminal);
  const name = asked ?? current;
  return name === undefined ? undefined : { name, profile: profileNamed(name, profiles) };
}

/** The profile of a name. Raises `usage` with the nearest. */
export function profileNamed(name: string, profiles: Profiles['profiles']): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  throw usage(
    `there is no profile ${name}${didYouMean(name, Object.keys(profiles))}`,
    'keywright profile list',
  );
}

/** An address without its last slashes. Raises `usage` for what is none. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '') {
    // Most likely `localhost:8080`, whose first part is read as a scheme.
    const isBare = /^[\w.-]+(:\d{1,5})?(\/|$)/.test(text);
    throw usage(
      `"${text}" is not the address of a service`,
      isBare
        ? `Name the scheme: http://${text}, or https://${text}`
        : 'Expected one like https://keys.example',
    );
  }
  return text.replace(/\/+$/, '');
}

/** Returns true if an address means this machine. */
export function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
