// Recovers the keys of an archive from `keywright export organization` without the service. It is one file
// for Node 20 or later, and needs the identity of a recipient, the root key, or its shares.

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
import { Decrypter } from 'age-encryption';
import { type Outcome, type Receiver, readArchive } from './read_archive.ts';
import { combineShares, identityOfRootKey, readShare } from './shares.ts';

const usage = `Checks an archive of keywright export organization, and recovers its keys.

  node recover.mjs --archive exit.age --identities identities.txt
  node recover.mjs --archive exit.age --identities identities.txt --to recovered
  node recover.mjs --archive exit.age --identities operators.txt --shares root-key-shares
  node recover.mjs --archive exit.age --root-key root.key

  --archive FILE     the archive
  --identities FILE  age identities, one on each line
  --shares DIR       sealed shares of the root key, which the identities open
  --root-key FILE    the root key, 32 bytes
  --passphrase-file FILE  the passphrase of a key holder, for an organization with its own key
  --to DIR           a new folder for archive.ndjson and keys.ndjson, both unencrypted

Without --to it writes nothing. It derives every key and address again and compares them.
Status 0: all are the same. 1: some differ. 2: the archive cannot be read.
`;

/** Maximum number of printed differences. */
const maximumPrinted = 20;

type Files = Receiver & { readonly finish: () => void; readonly discard: () => void };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      archive: { type: 'string' },
      identities: { type: 'string' },
      shares: { type: 'string' },
      'root-key': { type: 'string' },
      'passphrase-file': { type: 'string' },
      to: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const { archive, to, 'passphrase-file': passphraseFile } = values;
  if (values.help === true || archive === undefined) {
    process.stdout.write(usage);
    return values.help === true ? 0 : 2;
  }
  const decrypter = new Decrypter();
  for (const identity of await identitiesOf(values)) decrypter.addIdentity(identity);
  const files = to === undefined ? nowhere : filesIn(to);
  try {
    const sealed = Readable.toWeb(createReadStream(archive)) as ReadableStream<Uint8Array>;
    const opened = await decrypter.decrypt(sealed);
    const passphrase =
      passphraseFile === undefined
        ? undefined
        : // Without a byte order mark, as the commands read it.
          new TextDecoder().decode(readFileSync(passphraseFile)).replace(/\r?\n$/, '');
    const outcome = await readArchive(partsOf(opened), files, passphrase);
    files.finish();
    print(outcome, to);
    return outcome.differences.length === 0 ? 0 : 1;
  } catch (error) {
    files.discard();
    throw error;
  }
}

async function identitiesOf(values: {
  readonly identities?: string | undefined;
  readonly shares?: string | undefined;
  readonly 'root-key'?: string | undefined;
}): Promise<readonly string[]> {
  const { identities, shares, 'root-key': rootKeyFile } = values;
  if (rootKeyFile !== undefined) return [identityOfRootKey(readFileSync(rootKeyFile))];
  if (identities === undefined) throw new Error('--identities or --root-key is needed');
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
