// Recovers the keys of an archive from `keywright export organization` without the service. It is one file
// for Node 20 or later, and needs the identity or passkey of a recipient, the root key, or its shares.

import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Decrypter, identityToRecipient } from 'age-encryption';
import { type PasskeyPage, servePasskeyPage } from './passkey_page.ts';
import { identityOfPasskey, identitySalt } from './passkey_secret.ts';
import { type Outcome, type Receiver, readArchive } from './read_archive.ts';
import type { HolderSecrets } from './sealed.ts';
import { combineShares, identityOfRootKey, readShare } from './shares.ts';

const usage = `Checks an archive of keywright export organization, and recovers its keys.

  node recover.mjs --archive exit.age --identities identities.txt
  node recover.mjs --archive exit.age --identities identities.txt --to recovered
  node recover.mjs --archive exit.age --identities operators.txt --shares root-key-shares
  node recover.mjs --archive exit.age --root-key root.key
  node recover.mjs --archive exit.age --passkey
  node recover.mjs --new-passkey >> recipients.txt

  --archive FILE     the archive
  --identities FILE  age identities, one on each line
  --shares DIR       sealed shares of the root key, which the identities open
  --root-key FILE    the root key, 32 bytes
  --passphrase-file FILE  the passphrase of a key holder, for an organization with its own key
  --passkey          opens a page at localhost that uses the passkey of a recipient (without
                     --identities or --root-key), and the passkeys of key holders
  --new-passkey      creates a passkey in such a page, and prints its recipient for the export
  --to DIR           a new folder for archive.ndjson and keys.ndjson, both unencrypted

Without --to it writes nothing. It derives every key and address again and compares them.
Status 0: all are the same. 1: some differ. 2: the archive cannot be read.
`;

/** Maximum number of printed differences. */
const maximumPrinted = 20;
/** Maximum number of passkeys that are tried as the recipient. */
const maximumAttempts = 10;

type Files = Receiver & { readonly finish: () => void; readonly discard: () => void };

type Values = {
  readonly archive?: string | undefined;
  readonly identities?: string | undefined;
  readonly shares?: string | undefined;
  readonly 'root-key'?: string | undefined;
  readonly 'passphrase-file'?: string | undefined;
  readonly passkey?: boolean | undefined;
  readonly to?: string | undefined;
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      archive: { type: 'string' },
      identities: { type: 'string' },
      shares: { type: 'string' },
      'root-key': { type: 'string' },
      'passphrase-file': { type: 'string' },
      passkey: { type: 'boolean' },
      'new-passkey': { type: 'boolean' },
      to: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const { archive } = values;
  const isNew = values['new-passkey'] === true;
  if (values.help === true || (archive === undefined && !isNew)) {
    process.stdout.write(usage);
    return values.help === true ? 0 : 2;
  }
  const usesPage = isNew || values.passkey === true;
  const page = usesPage ? await servePasskeyPage(showAddress) : undefined;
  try {
    if (isNew && page !== undefined) return await printRecipient(page);
    return await recover(String(archive), values, page);
  } finally {
    await page?.stop();
  }
}

/** Prints to the error stream, because the other stream may be a file of recipients. */
const showAddress = (url: string, code: string): void => {
  process.stderr.write(`Open ${url} in a browser on this machine. Code: ${code}\n`);
};

/** Creates a passkey, and prints the recipient that seals archives to it. */
async function printRecipient(page: PasskeyPage): Promise<number> {
  const purpose = 'Create a passkey that opens archives.';
  const found = await page.ask({ ...identityTask, purpose, create: true });
  if (found === undefined) return 2;
  const recipient = await identityToRecipient(identityOfPasskey(found.secret));
  process.stdout.write(`# passkey ${found.id}\n${recipient}\n`);
  return 0;
}

const identityTask = { create: false, skippable: false, passkeys: [], salt: identitySalt };

async function recover(
  archive: string,
  values: Values,
  page: PasskeyPage | undefined,
): Promise<number> {
  const { to, 'passphrase-file': passphraseFile } = values;
  const opened = await openArchive(archive, values, page);
  const files = to === undefined ? nowhere : filesIn(to);
  try {
    const passphrase =
      passphraseFile === undefined
        ? undefined
        : // Without a byte order mark, as the commands read it.
          new TextDecoder().decode(readFileSync(passphraseFile)).replace(/\r?\n$/, '');
    const passkey = page && holderPasskey(page);
    const outcome = await readArchive(partsOf(opened), files, { passphrase, passkey });
    files.finish();
    print(outcome, to);
    return outcome.differences.length === 0 ? 0 : 1;
  } catch (error) {
    files.discard();
    throw error;
  }
}

/** Asks for the passkey of a key holder of an organization, which the user may lack. */
const holderPasskey =
  (page: PasskeyPage): HolderSecrets['passkey'] =>
  (organization, passkeys) => {
    const purpose = `Use the passkey of a key holder of ${organization}.`;
    return page.ask({ purpose, create: false, skippable: true, passkeys });
  };

/** Opens an archive with the identities of the user, or with a passkey of a recipient. */
async function openArchive(
  archive: string,
  values: Values,
  page: PasskeyPage | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const isByPasskey = values.identities === undefined && values['root-key'] === undefined;
  if (page === undefined || !isByPasskey)
    return await openWith(archive, await identitiesOf(values));
  let purpose = 'Use the passkey of a recipient of the archive.';
  for (let attempt = 1; ; attempt += 1) {
    const found = await page.ask({ ...identityTask, purpose });
    const identities = found === undefined ? [] : [identityOfPasskey(found.secret)];
    try {
      return await openWith(archive, identities);
    } catch (error) {
      // Browsers offer all passkeys of `localhost`, so another one may have been used.
      const isOther = error instanceof Error && error.message.startsWith('no identity matched');
      if (!isOther || attempt === maximumAttempts) throw error;
      purpose = 'The passkey that was used is no recipient of this archive. Use another passkey.';
    }
  }
}

async function openWith(
  archive: string,
  identities: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const sealed = createReadStream(archive);
  try {
    return await decrypter.decrypt(Readable.toWeb(sealed) as ReadableStream<Uint8Array>);
  } catch (error) {
    sealed.destroy();
    throw error;
  }
}

async function identitiesOf(values: Values): Promise<readonly string[]> {
  const { identities, shares, 'root-key': rootKeyFile } = values;
  if (rootKeyFile !== undefined) return [identityOfRootKey(readFileSync(rootKeyFile))];
  if (identities === undefined) throw new Error('--identities, --root-key or --passkey is needed');
  const lines = readFileSync(identities, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (shares === undefined) return lines;
  const decrypter = new Decrypter();
  for (const line of lines) decrypter.addIdentity(line);
  const opened = [];
  for (const name of readdirSync(shares).filter((each) => each.endsWith('.age'))) {
    // Skip files sealed to other recipients.
    const share = await decrypter.decrypt(readFileSync(join(shares, name))).catch(() => undefined);
    if (share !== undefined) opened.push(readShare(share));
  }
  return [identityOfRootKey(await combineShares(opened))];
}

async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const nowhere: Files = {
  line: () => undefined,
  key: () => undefined,
  finish: () => undefined,
  discard: () => undefined,
};

/** Creates a folder, which gets its final name after the whole archive was read. */
function filesIn(to: string): Files {
  mkdirSync(to, { mode: 0o700 });
  const names = ['archive.ndjson', 'keys.ndjson'];
  const [archive = -1, keys = -1] = names.map((name) =>
    openSync(join(to, `${name}.partial`), 'wx', 0o600),
  );
  return {
    line: (text) => writeSync(archive, `${text}\n`),
    key: (key) => writeSync(keys, `${JSON.stringify(key)}\n`),
    finish: () => {
      for (const file of [archive, keys]) {
        fsyncSync(file);
        closeSync(file);
      }
      for (const name of names) renameSync(join(to, `${name}.partial`), join(to, name));
    },
    discard: () => {
      for (const name of names) rmSync(join(to, `${name}.partial`), { force: true });
      rmSync(to, { recursive: true, force: true });
    },
  };
}

/** Returns a text without characters that control a terminal, because anyone can seal an archive. */
const visible = (text: unknown): string => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');

function print({ lines, keys, addresses, differences }: Outcome, to: string | undefined): void {
  for (const [kind, count] of lines) process.stdout.write(`${count} ${visible(kind)}\n`);
  process.stdout.write(`${keys} keys and ${addresses} addresses were derived again\n`);
  for (const each of differences.slice(0, maximumPrinted)) {
    process.stdout.write(`${visible(each)}\n`);
  }
  const state = differences.length === 0 ? 'all match the archive' : `${differences.length} differ`;
  process.stdout.write(`${state}\n`);
  if (to !== undefined)
    process.stdout.write(`${to} has every key unencrypted: destroy it after use\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${visible(error instanceof Error ? error.message : error)}\n`);
  process.exitCode = 2;
}
