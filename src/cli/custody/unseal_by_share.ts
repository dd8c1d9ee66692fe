// Sends one share of the root key to a sealed enclave. Verifies the statement of the enclave before it opens
// the share.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bytesOfHex, hex, utf8, wipe } from '../../core/base/bytes.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { readKeyShare } from '../../core/custody/key_shares.ts';
import {
  readUnsealStatement,
  sealShare,
  type UnsealStatement,
} from '../../core/custody/unsealing.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import type { Program } from '../../core/proofs/boot_proofs.ts';
import { isJsonObject, type JsonObject, parsedJson } from '../../core/schema/json.ts';
import { readProgram } from '../../enclave/program.ts';
import { enclaveEntry, projectDirectory } from '../../gateway/enclave/process.ts';
import { newMessageKey } from '../../gateway/root_key/new_keys.ts';
import { isLoopback } from '../profiles/profiles.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { Failure, usage } from '../words/failures.ts';
import { type Identities, openShareFile } from './share_files.ts';

type Unsealing = {
  readonly share: string;
  /** Returns the identity of the operator. The statement of the enclave is verified before. */
  readonly identities: () => Promise<Identities>;
  readonly url: URL;
  /** Default: the digest of this program. */
  readonly sourcesDigest: string | undefined;
};

type UnsealProgress = {
  readonly given: number;
  readonly threshold: number;
  /** The error of the start, if all shares arrived and the start failed. */
  readonly failure: string | undefined;
  readonly statement: UnsealStatement;
};

/**
 * Returns the number of shares that the enclave has. Throws an error if the enclave is untrusted or rejects
 * the share.
 */
export async function unsealByShare(unsealing: Unsealing): Promise<UnsealProgress> {
  const { url, share: path, identities } = unsealing;
  // Without TLS, an attacker on the network could forge a statement.
  if (url.protocol !== 'https:' && !isLoopback(url.href)) {
    throw usage(`${url.origin} has no TLS: send shares over https://, or from the same machine`);
  }
  const { text, read } = checkedStatement(await ask(url, { method: 'GET' }), unsealing);
  const share = await openShareFile(path, await identities());
  const ephemeral = newMessageKey();
  try {
    requireExpected(share, read);
    const sealed = sealShare(share, { text, read }, ephemeral);
    const body = JSON.stringify({
      encapsulatedKey: hex(sealed.encapsulatedKey),
      ciphertext: hex(sealed.ciphertext),
    });
    const { given, threshold, failure } = await ask(url, { method: 'POST', body });
    return {
      given: Number(given),
      threshold: Number(threshold),
      failure: typeof failure === 'string' ? failure : undefined,
      statement: read,
    };
  } finally {
    wipe(share, ephemeral);
  }
}

/** Rejects a share of another sharing than the one in the statement. */
function requireExpected(bytes: Uint8Array, { sharingId }: UnsealStatement): void {
  const share = readKeyShare(bytes);
  if (share === undefined) throw new ServiceError('share_unreadable');
  wipe(share.value);
  if (share.sharingId === sharingId) return;
  throw new ServiceError('share_of_other_sharing', { number: share.number });
}

/** Returns the statement if an enclave signed it and it names the expected program. Throws otherwise. */
function checkedStatement(
  { statement: text = '', signature = '', sources = '' }: JsonObject,
  { sourcesDigest }: Unsealing,
): { readonly text: string; readonly read: UnsealStatement } {
  const read = readUnsealStatement(
    String(text),
    bytesOfHex(String(signature)) ?? new Uint8Array(0),
  );
  if (read === undefined) throw untrusted('the service returned no statement signed by its key');
  if (sourcesDigest !== undefined) {
    if (read.sourcesDigest === sourcesDigest.toLowerCase()) return { text: String(text), read };
    throw untrusted(`the enclave states the sources ${read.sourcesDigest}, not ${sourcesDigest}`);
  }
  const own = ownProgram();
  if (read.sourcesDigest !== hex(sha256(utf8(own.sources)))) {
    throw untrusted(
      `the enclave runs another program than this command: ${difference(read, own, String(sources))}`,
    );
  }
  if (read.lockfileDigest !== own.lockfileDigest) {
    throw untrusted('the enclave runs with other packages than this command');
  }
  return { text: String(text), read };
}

const maximumNamedFiles = 5;

/** Returns the other version, or the names of the files that differ. */
function difference({ version }: UnsealStatement, own: Program, sources: string): string {
  if (version !== own.version) return `version ${version} instead of ${own.version}`;
  const stated = new Set(sources.split('\n'));
  const files = own.sources.split('\n').flatMap((line) => (stated.has(line) ? [] : line.slice(66)));
  return `${files.slice(0, maximumNamedFiles).join(', ') || 'it has further files'}`;
}

/** Returns the enclave program in this package. */
function ownProgram(): Program {
  const read = (path: string): Uint8Array | undefined => {
    const file = join(projectDirectory, path);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  return readProgram(relative(projectDirectory, enclaveEntry), read, process.version);
}

const untrusted = (message: string): Failure =>
  new Failure({
    exit: 'not_verified',
    message,
    next: 'Do not send the share. Compare the versions, or pass the expected digest with --sources-digest.',
  });

/** Sends a request, and returns the JSON object of a successful answer. */
async function ask(url: URL, options: RequestInit): Promise<JsonObject> {
  let response: Response;
  try {
    response = await fetchDocument(url, options);
  } catch {
    throw new Failure({ exit: 'unreachable', message: `${url.origin} does not answer` });
  }
  const json = parsedJson(await response.text());
  const answer = isJsonObject(json) ? json : {};
  if (response.ok) return answer;
  const { message } = answer;
  throw new Failure({
    exit: 'refused',
    code: 'still_sealed',
    message: typeof message === 'string' ? message : `the service answered ${response.status}`,
  });
}
