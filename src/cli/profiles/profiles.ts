// Profiles: the service, the organization and the key of a command.

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

/** A stored login. Its key is in a separate file, or printed by a program. */
export type Profile = {
  readonly url: string;
  readonly organizationId: string;
  /** The name of the user at the login, for people. */
  readonly userName?: string;
  /** Program and arguments that print the key file. No shell is involved. */
  readonly keyCommand?: readonly string[];
  /** Public keys of the service, pinned at the first use, by name. */
  readonly pinnedKeys?: Readonly<Record<string, string>>;
};

export type Profiles = {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
};

/** The service, organization and key of a command. */
export type ResolvedLogin = {
  readonly url: string;
  readonly organizationId: string;
  readonly profileName: string | undefined;
  readonly profile: Profile | undefined;
  /** The key file or program, for messages. */
  readonly keySource: string;
  /** Returns the key. The first call prompts for the passphrase if the key is sealed. */
  readonly key: () => Promise<KeyFile>;
};

/** An IP address, because on `localhost` another user of the machine could listen at ::1. */
export const usualUrl = 'http://127.0.0.1:8080';

export function configDirectory({ environment, homeDirectory }: Terminal): string {
  const base = environment['XDG_CONFIG_HOME'] || join(homeDirectory, '.config');
  return join(base, 'keywright');
}

const configFile = (terminal: Terminal): string => join(configDirectory(terminal), 'config.json');

/** Returns the path of a profile's key file. */
export const keyFileOf = (terminal: Terminal, name: string): string =>
  join(configDirectory(terminal), 'keys', `${name}.json`);

/** Returns the name if it is valid as a file name on all systems. Throws `usage`. */
export function checkedName(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) return name;
  throw usage(
    `"${name}" is not the name of a profile: expected letters, digits, - and _, at most 64`,
  );
}

/** Returns all profiles; none if the file does not exist. */
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
    // The checks above cover every member of the type.
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

/** Checks of profile members, because people edit the file by hand. */
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
 * Changes the profiles under a lock, so that concurrent commands lose no change. `change` gets the current
 * profiles. Throws `usage` if another command holds the lock for seconds.
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

/** Removes a profile. If it was current, no profile is current afterwards. The key file stays. */
export async function forgetProfile(terminal: Terminal, name: string): Promise<void> {
  await changeProfiles(terminal, ({ current, profiles }) => {
    const { [name]: _forgotten, ...others } = profiles;
    const isKept = current !== undefined && current !== name;
    return { ...(isKept ? { current } : {}), profiles: others };
  });
}

/**
 * Finds the service and the key. Flags override the environment, and the environment overrides the profile.
 * For a key file named by a flag, its service and organization override variables. The root credentials in
 * this folder are the last resort, only for a service on this machine. The key of a profile stamps requests
 * to another address only if `--url` names that address. Throws `usage` with a command to type if there is no
 * key.
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
  // A `--profile` flag overrides the variable for a key file.
  const usualFile = profile === undefined ? environment['KEYWRIGHT_CREDENTIALS_FILE'] : undefined;
  const file = credentials ?? usualFile;
  const named = await findProfile(profile ?? environment['KEYWRIGHT_PROFILE'], file, terminal);
  const usual = {
    url: environment['KEYWRIGHT_URL'],
    organization: environment['KEYWRIGHT_ORGANIZATION_ID'],
  };
  const target = { url: url ?? usual.url, organization: organization ?? usual.organization, ask };
  if (file !== undefined) {
    const key = await readStoredKey(file);
    if (credentials === undefined) return loginWithKey(key, file, target);
    return loginWithKey(key, file, {
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
    const login = loginWithKey(key, path, target);
    if (isLoopback(login.url)) return login;
  }
  throw new Failure({
    exit: 'usage',
    code: 'no_key',
    message: 'There is no key to sign requests with.',
    next: 'keywright login --with FILE stores one; or pass --credentials FILE.',
  });
}

/**
 * Returns the address of the service for commands that do not sign: from `resolveLogin`, or the named or
 * default address. Throws `usage` for an invalid address.
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
 * Throws `usage` if a variable names another address than the profile. A server there could forward the
 * stamped request to the service of the profile, which would accept it.
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

type RequestedTarget = {
  readonly url: string | undefined;
  readonly organization: string | undefined;
  /** Prompts for the passphrase of the key if it is sealed. */
  readonly ask: AskPassphrase;
};

/** Caches the result, so that passphrases are prompted and files are read only once. */
function once<R>(work: () => Promise<R>): () => Promise<R> {
  let done: Promise<R> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Returns the login of a key file. A named address or organization overrides the file. */
export function loginWithKey(
  stored: StoredKey,
  keySource: string,
  { url, organization, ask }: RequestedTarget,
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

/** Returns the named profile. Default: the current profile, unless a key file is given. */
async function findProfile(
  requested: string | undefined,
  file: string | undefined,
  terminal: Terminal,
): Promise<{ readonly name: string; readonly profile: Profile } | undefined> {
  if (requested === undefined && file !== undefined) return undefined;
  const { current, profiles } = await readProfiles(terminal);
  const name = requested ?? current;
  return name === undefined ? undefined : { name, profile: profileNamed(name, profiles) };
}

/** Returns the profile with this name. Throws `usage` with the nearest name. */
export function profileNamed(name: string, profiles: Profiles['profiles']): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  throw usage(
    `there is no profile ${name}${didYouMean(name, Object.keys(profiles))}`,
    'keywright profile list',
  );
}

/** Returns the address without trailing slashes. Throws `usage` for other text. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '') {
    // Probably `localhost:8080`, which parses as a URL with the scheme `localhost:`.
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

/** Returns true for an address of this machine. */
export function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
