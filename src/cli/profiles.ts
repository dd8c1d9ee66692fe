// Profiles: which service and organization a command means, and with which key.

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CommonValues } from './common_options.ts';
import { Failure, usage } from './failures.ts';
import {
  isMissingFile,
  makePrivateDirectoryOf,
  readPrivateFile,
  writePrivateFile,
} from './files.ts';
import { didYouMean } from './names.ts';
import type { Terminal } from './terminal.ts';

/** What `login` keeps of a way in. Keys are in files of their own, or printed by a program. */
export type Profile = {
  readonly url: string;
  readonly organizationId: string;
  /** Who it was at the login, for people. */
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

/** A key that stamps requests, as `root-credentials.json` and key files of profiles hold it. */
export type KeyFile = {
  readonly apiPublicKey: string;
  readonly apiPrivateKey: string;
  readonly baseUrl?: string;
  readonly organizationId?: string;
};

/** Where a command goes and what it signs with; `key` reads the secret only when it is needed. */
export type WayIn = {
  readonly url: string;
  readonly organizationId: string;
  readonly profileName: string | undefined;
  readonly profile: Profile | undefined;
  /** The file, or the program, that the key is read from: for messages. */
  readonly keySource: string;
  readonly key: () => Promise<KeyFile>;
};

const usualUrl = 'http://localhost:8080';

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
  const { current, profiles } = objectOf(text, path);
  if (typeof profiles !== 'object' || profiles === null) throw usage(`${path} holds no profiles`);
  return {
    ...(typeof current === 'string' ? { current } : {}),
    // Written by `login` alone, and checked where a profile is used.
    profiles: profiles as Profiles['profiles'],
  };
}

export async function writeProfiles(terminal: Terminal, profiles: Profiles): Promise<void> {
  const path = configFile(terminal);
  await makePrivateDirectoryOf(path);
  const text = `${JSON.stringify(profiles, undefined, 2)}\n`;
  await writePrivateFile(path, new TextEncoder().encode(text), { replaces: true });
}

/**
 * Where to go, and with what: flags are stronger than the environment, that than the profile, and the
 * root credentials of this folder are the last resort, for a service on this machine alone. Raises
 * `usage` where there is no key, with the command to type.
 */
export async function findWayIn(
  { profile, url, organization, credentials }: CommonValues,
  terminal: Terminal,
): Promise<WayIn> {
  const { environment } = terminal;
  const file = credentials ?? environment['KEYWRIGHT_CREDENTIALS_FILE'];
  const named = await findProfile(profile ?? environment['KEYWRIGHT_PROFILE'], file, terminal);
  const askedUrl = url ?? environment['KEYWRIGHT_URL'];
  const askedOrganization = organization ?? environment['KEYWRIGHT_ORGANIZATION_ID'];
  if (file !== undefined) {
    const key = await readKeyFile(file);
    return wayWith(key, `${file}`, askedUrl, askedOrganization);
  }
  if (named !== undefined) {
    const { name, profile: kept } = named;
    return {
      url: checkedUrl(askedUrl ?? kept.url),
      organizationId: askedOrganization ?? kept.organizationId,
      profileName: name,
      profile: kept,
      keySource: kept.keyCommand?.join(' ') ?? keyFileOf(terminal, name),
      key: () =>
        kept.keyCommand === undefined
          ? readKeyFile(keyFileOf(terminal, name))
          : keyOfProgram(kept.keyCommand),
    };
  }
  for (const folder of [environment['KEYWRIGHT_DATA_DIR'] ?? 'data', '.keywright']) {
    const path = resolve(terminal.workingDirectory, folder, 'root-credentials.json');
    const key = await readKeyFile(path).catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (key === undefined) continue;
    const way = wayWith(key, path, askedUrl, askedOrganization);
    if (isLoopback(way.url)) return way;
  }
  throw new Failure({
    exit: 'usage',
    code: 'no_key',
    message: 'There is no key to sign requests with.',
    next: 'keywright login --with FILE keeps one; or give --credentials FILE.',
  });
}

/** The way that a key file leads, unless an address or an organization was named. */
export function wayWith(
  key: KeyFile,
  keySource: string,
  url: string | undefined,
  organization: string | undefined,
): WayIn {
  const organizationId = organization ?? key.organizationId;
  if (organizationId === undefined) {
    throw usage(`${keySource} names no organization: give --organization ID`);
  }
  return {
    url: checkedUrl(url ?? key.baseUrl ?? usualUrl),
    organizationId,
    profileName: undefined,
    profile: undefined,
    keySource,
    key: async () => key,
  };
}

/** A profile that was asked for, or the current one unless a key file was given. */
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

/** A key file, for its owner alone. Raises `usage` where it holds no key. */
export async function readKeyFile(path: string): Promise<KeyFile> {
  return keyOf(await readPrivateText(path), path);
}

async function keyOfProgram([program = '', ...words]: readonly string[]): Promise<KeyFile> {
  try {
    const { stdout } = await promisify(execFile)(program, words, {
      timeout: 60_000,
      maxBuffer: 65_536,
    });
    return keyOf(stdout, program);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // What the program printed may be the key: only its name is told.
    throw usage(
      `${program} did not print a key`,
      'Run it by hand, and see keyCommand in docs/cli.md.',
    );
  }
}

function keyOf(text: string, source: string): KeyFile {
  const { apiPublicKey, apiPrivateKey, baseUrl, organizationId } = objectOf(text, source);
  const isHex = (value: unknown, bytes: number): value is string =>
    typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]+$/i.test(value);
  if (!isHex(apiPublicKey, 33) || !isHex(apiPrivateKey, 32)) {
    throw usage(`${source} holds no key: expected apiPublicKey and apiPrivateKey in hex`);
  }
  return {
    apiPublicKey,
    apiPrivateKey,
    ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
    ...(typeof organizationId === 'string' ? { organizationId } : {}),
  };
}

async function readPrivateText(path: string): Promise<string> {
  const bytes = await readPrivateFile(path);
  const text = new TextDecoder().decode(bytes);
  bytes.fill(0);
  return text;
}

function objectOf(text: string, source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The parser's message would hold a piece of the text, which may be a secret.
  }
  throw usage(`${source} is not a JSON object`);
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '') {
    throw usage(
      `"${text}" is not the address of a service`,
      'Expected one like https://keys.example',
    );
  }
  return text.replace(/\/+$/, '');
}

/** Whether an address means this machine. */
export function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
