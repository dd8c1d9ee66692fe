// Files of shares, each sealed to the age recipient of one operator (https://age-encryption.org/v1). Shares
// are never printed or written unsealed.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Decrypter, Encrypter } from 'age-encryption';
import { equalBytes, textOfUtf8, utf8, wipe } from '../../core/base/bytes.ts';
import {
  combineShares,
  type KeyShare,
  readKeyShare,
  shareBounds,
  shareMaximumBytes,
  sharingPartOf,
  splitRootKey,
} from '../../core/custody/key_shares.ts';
import { sharingText } from '../../gateway/root_key/shares.ts';
import {
  makeDataDirectory,
  readRootKey,
  writeFilePrivately,
} from '../../store/data_directory/data_directory.ts';
import { readSecretFile } from '../../store/data_directory/secret_file.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** Maximum size of a sealed share, including the longest header. */
const sealedMaximumBytes = shareMaximumBytes + 16_384;
const listMaximumBytes = 65_536;
const maximumFiles = 64;

/** Age identities: the path of a file with one on each line, or the keys of passkeys. */
export type Identities = string | readonly CryptoKey[];

type Splitting = {
  /** The folder to create. */
  readonly to: string;
  /** The age recipients of the operators, one for each share. */
  readonly recipients: readonly string[];
  readonly threshold: number;
  /** The file that identifies the sharing to a service. It replaces the file of an earlier sharing. */
  readonly sharing: string;
};

/** Reads the root key from a file. */
export function rootKeyIn(path: string): Uint8Array {
  const rootKey = readRootKey(path);
  if (rootKey === undefined) throw new UnusableDataError(`there is no root key at ${path}`);
  return rootKey;
}

/**
 * Verifies the shares, and writes one sealed share for each recipient into a new folder. Also writes the file
 * that identifies the sharing. Wipes the root key.
 */
export async function splitIntoFiles(
  rootKey: Uint8Array,
  { to, recipients, threshold, sharing }: Splitting,
): Promise<readonly string[]> {
  let shares: readonly Uint8Array[] = [];
  try {
    const repeated = recipients.find((each, index) => recipients.indexOf(each) !== index);
    if (repeated !== undefined) {
      throw new UnusableDataError(`the recipient ${repeated} is named twice`);
    }
    if (existsSync(to) && readdirSync(to).length > 0) {
      throw new UnusableDataError(`${to} is not empty: shares are written into a new folder`);
    }
    shares = await splitRootKey(rootKey, { threshold, count: recipients.length });
    await requireSameKey(shares.slice(0, threshold), rootKey);
    await requireSameKey(shares.slice(-threshold), rootKey);
    const sealed = await Promise.all(
      shares.map((share, index) => sealTo(recipients[index] ?? '', share)),
    );
    makeDataDirectory(to);
    const files = sealed.map((bytes, index) => {
      const path = join(to, `share-${index + 1}.age`);
      writeFilePrivately(path, bytes);
      return path;
    });
    // Written last, because a service expects these shares once the file exists.
    makeDataDirectory(dirname(sharing));
    const [first = new Uint8Array(0)] = shares;
    writeFilePrivately(sharing, utf8(sharingText(sharingPartOf(first))), { replace: true });
    return files;
  } finally {
    wipe(rootKey, ...shares);
  }
}

/** Returns the age recipients of a list file. Rejects duplicates. */
export function readRecipients(list: string): readonly string[] {
  const recipients = linesOf(list, readBounded(list, listMaximumBytes));
  const repeated = recipients.find((each, index) => recipients.indexOf(each) !== index);
  if (repeated === undefined) return recipients;
  throw new UnusableDataError(`${list} names the recipient ${repeated} twice`);
}

async function requireSameKey(shares: readonly Uint8Array[], rootKey: Uint8Array): Promise<void> {
  const read = shares.flatMap((share) => readKeyShare(share) ?? []);
  const combined = await combineShares(read);
  const isSame = equalBytes(combined, rootKey);
  wipe(combined, ...read.map(({ value }) => value));
  if (!isSame)
    throw new UnusableDataError('the shares do not give the root key: nothing was written');
}

async function sealTo(recipient: string, share: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new UnusableDataError(`${recipient} is not an age recipient`);
  }
  return encrypter.encrypt(share);
}

/** Combines the shares in a folder that the identities open. Returns the key; the caller wipes it. */
export async function combineFiles(
  from: string,
  identities: Identities,
): Promise<{ readonly rootKey: Uint8Array; readonly used: number }> {
  const decrypter = identitiesIn(identities);
  if (!existsSync(from)) throw new UnusableDataError(`there is no folder ${from}`);
  const names = readdirSync(from).filter((name) => name.endsWith('.age'));
  if (names.length > maximumFiles) {
    throw new UnusableDataError(`${from} has more than ${maximumFiles} files of shares`);
  }
  const shares: KeyShare[] = [];
  try {
    for (const name of names.sort()) {
      const share = await openShare(join(from, name), decrypter);
      if (share !== undefined) shares.push(share);
    }
    if (shares.length === 0) {
      throw new UnusableDataError(`${noneOf(identities)} opens a share in ${from}`);
    }
    return { rootKey: await combineShares(shares), used: shares.length };
  } finally {
    wipe(...shares.map(({ value }) => value));
  }
}

type Combining = { readonly from: string; readonly to: string; readonly identities: Identities };

/** Combines shares, and writes the root key into a new file. */
export async function combineFromFiles({ from, to, identities }: Combining): Promise<number> {
  const { rootKey, used } = await combineFiles(from, identities);
  try {
    writeFilePrivately(to, rootKey);
    return used;
  } finally {
    wipe(rootKey);
  }
}

/** Opens one share file. Returns the bytes of the share; the caller wipes them. */
export async function openShareFile(path: string, identities: Identities): Promise<Uint8Array> {
  const decrypter = identitiesIn(identities);
  const sealed = readBounded(path, sealedMaximumBytes);
  const opened = await decrypter.decrypt(sealed).catch(() => undefined);
  if (opened !== undefined) return opened;
  throw new UnusableDataError(`${noneOf(identities)} opens ${path}`);
}

const noneOf = (identities: Identities): string =>
  typeof identities === 'string' ? `no identity of ${identities}` : 'no passkey that was used';

/** Returns undefined if the identities cannot open the file. */
async function openShare(path: string, decrypter: Decrypter): Promise<KeyShare | undefined> {
  const sealed = readBounded(path, sealedMaximumBytes);
  const opened = await decrypter.decrypt(sealed).catch(() => undefined);
  if (opened === undefined) return undefined;
  try {
    const share = readKeyShare(opened);
    if (share === undefined) throw new UnusableDataError(`${path} holds no share of a root key`);
    return share;
  } finally {
    wipe(opened);
  }
}

function identitiesIn(identities: Identities): Decrypter {
  if (typeof identities === 'string') return identitiesOfFile(identities);
  const decrypter = new Decrypter();
  for (const key of identities) decrypter.addIdentity(key);
  return decrypter;
}

function identitiesOfFile(path: string): Decrypter {
  const read = readSecretFile({ path, what: 'the identities', maximumBytes: listMaximumBytes });
  if (read === undefined) throw new UnusableDataError(`there is no file ${path}`);
  const decrypter = new Decrypter();
  try {
    for (const identity of linesOf(path, read.bytes)) decrypter.addIdentity(identity);
  } catch (error) {
    if (error instanceof UnusableDataError) throw error;
    // The error of the library may contain the identity, so it is not shown.
    throw new UnusableDataError(`${path} has a line that is not an age identity`);
  } finally {
    wipe(read.bytes);
  }
  return decrypter;
}

/** Returns the lines of a file without comments, in the format of age's lists. */
function linesOf(path: string, bytes: Uint8Array): readonly string[] {
  const lines = (textOfUtf8(bytes) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > 0 && lines.length <= shareBounds.maximumCount) return lines;
  throw new UnusableDataError(
    `${path} must have between 1 and ${shareBounds.maximumCount} lines, it has ${lines.length}`,
  );
}

function readBounded(path: string, maximumBytes: number): Uint8Array {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new UnusableDataError(`there is no file ${path}`);
  if (found.size > maximumBytes) {
    throw new UnusableDataError(`${path} has more than ${maximumBytes} bytes`);
  }
  return readFileSync(path);
}
