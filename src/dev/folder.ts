// The folder of `keywright dev`: its files, the steps of an unfinished start, and its deletion. Folders of
// other programs are never changed.

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { utf8 } from '../core/base/bytes.ts';
import { isJsonObject, type JsonObject, parsedJson } from '../core/schema/json.ts';
import type { P256KeyPair } from '../gateway/base/p256_key_pair.ts';
import { openDataDirectory, writeFilePrivately } from '../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';

/** A request of the demo, stored before it is sent, so that a start after a crash repeats the same bytes. */
type StepState = {
  /** The signed body. */
  readonly body: string;
  /** The activity of the answer; undefined until the service has answered. */
  readonly activity?: JsonObject;
};

/** The content of `development.json`, which also marks the folder as made by `keywright dev`. */
export type DevState = {
  /** Digest of the seed of the demo wallets; undefined for random seeds. */
  readonly seedDigest?: string | undefined;
  /** Keys of the demo people by name. */
  readonly people: Readonly<Record<string, P256KeyPair>>;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Optional. True while the folder is being emptied. */
  readonly isResetting?: boolean;
};

export type DevFolder = {
  /** The absolute path. */
  readonly path: string;
  readonly state: () => DevState;
  /** Replaces the state durably. */
  save(state: DevState): void;
  /** Writes a file that only its owner can read, and replaces an earlier one. */
  write(name: string, content: object): void;
};

const stateFile = 'development.json';
const lockFile = 'owner.lock';
const emptyState: DevState = { people: {}, steps: {} };
/** Files that `keywright dev` creates. All other files belong to the developer and stay. */
const ownFiles = [
  /^root\.key$/,
  /^anchor\.json$/,
  /^keywright\.sqlite(-wal|-shm|-journal)?$/,
  /^root-credentials(\.pending)?\.json(\.\d+\.old)?$/,
  /^(alice|bob|carol|inbox)\.json$/,
  /\.[0-9a-f]{16}\.tmp$/,
];

/**
 * Opens the folder, and creates it if it is missing. `fresh` first deletes everything that earlier starts
 * created. Raises UnusableDataError for a folder in use, or with data that `keywright dev` did not create.
 */
export function openDevFolder(path: string, { fresh }: { readonly fresh: boolean }): DevFolder {
  const absolutePath = resolve(path);
  requireOwn(absolutePath);
  // The folder must be unused before it is deleted. The service takes the lock again.
  const owned = openDataDirectory(absolutePath);
  try {
    const found = readState(absolutePath);
    if (fresh || found?.isResetting === true) empty(absolutePath);
    else if (found === undefined) saveState(absolutePath, emptyState);
  } finally {
    owned.close();
  }
  let state = readState(absolutePath) ?? emptyState;
  return {
    path: absolutePath,
    state: () => state,
    save: (next) => {
      saveState(absolutePath, next);
      state = next;
    },
    write: (name, content) => writeJson(join(absolutePath, name), content),
  };
}

function requireOwn(path: string): void {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || existsSync(join(path, stateFile))) return;
  const others = readdirSync(path).filter((name) => name !== lockFile);
  if (others.length === 0) return;
  throw new UnusableDataError(
    `${path} has data that keywright dev did not create: start in another folder, or pass one with --data-dir`,
  );
}

/** Deletes the mark last, so that a start after a crash continues the deletion. */
function empty(path: string): void {
  saveState(path, { ...emptyState, isResetting: true });
  for (const name of readdirSync(path)) {
    if (ownFiles.some((pattern) => pattern.test(name))) rmSync(join(path, name), { force: true });
  }
  saveState(path, emptyState);
}

function saveState(path: string, state: DevState): void {
  writeJson(join(path, stateFile), state);
}

function readState(path: string): DevState | undefined {
  const file = join(path, stateFile);
  if (!existsSync(file)) return undefined;
  const parsed = parsedJson(readFileSync(file, 'utf8'));
  if (isJsonObject(parsed) && isJsonObject(parsed['people']) && isJsonObject(parsed['steps'])) {
    return parsed as unknown as DevState;
  }
  throw new UnusableDataError(`${file} cannot be read: delete ${path} and start again`);
}

function writeJson(path: string, content: object): void {
  writeFilePrivately(path, utf8(`${JSON.stringify(content, undefined, 2)}\n`), { replace: true });
}
