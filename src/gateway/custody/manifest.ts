// The manifest of a backup: its kind, size and digest, with a MAC that requires the root key.

import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfHex, equalBytes, hex, utf8 } from '../../core/base/bytes.ts';
import { writeFilePrivately } from '../../store/data_directory/data_directory.ts';
import type { RowCounts } from '../../store/tables/copied_tables.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import type { Custodian } from './custodian.ts';
import { UnverifiedError } from './unverified_error.ts';

export type BackupManifest = {
  readonly format: 1;
  /** Start of the backup, before its snapshot: it contains everything acknowledged earlier. */
  readonly createdAtMs: number;
  /** The release that wrote the backup. */
  readonly release: string;
  /** The first organization of the deployment. */
  readonly organizationId: string;
  readonly epoch: number;
  /** Number of rows of each table. */
  readonly rows: RowCounts;
  readonly file: { readonly bytes: number; readonly sha256: string };
};

/** The files of a backup. */
export const databaseName = 'keywright.sqlite';
const manifestName = 'manifest.json';
const maximumManifestBytes = 64 * 1024;

export function databaseOf(directory: string): string {
  return join(directory, databaseName);
}

/** Writes the manifest with the hash of the enclave, durably. */
export async function writeManifest(
  directory: string,
  manifest: BackupManifest,
  custodian: Custodian,
): Promise<void> {
  const { mac } = await custodian.call('vouch', { manifest: bytesOf(manifest) });
  const text = JSON.stringify({ manifest, mac: hex(mac) }, undefined, 2);
  writeFilePrivately(join(directory, manifestName), utf8(`${text}\n`));
}

/**
 * Reads the manifest of a backup, and its hash.
 * @throws UnusableDataError without a manifest, as in an unfinished backup.
 */
export function readManifest(directory: string): {
  readonly manifest: BackupManifest;
  readonly mac: Uint8Array;
} {
  const path = join(directory, manifestName);
  try {
    const status = statSync(path);
    const isRead = status.isFile() && status.size <= maximumManifestBytes;
    const { manifest, mac } = isRead ? JSON.parse(readFileSync(path, 'utf8')) : {};
    const bytes = typeof mac === 'string' ? bytesOfHex(mac) : undefined;
    // Only the digest is used before the MAC is checked, which covers all members.
    const hasDigest = typeof manifest?.file?.sha256 === 'string';
    if (manifest?.format === 1 && hasDigest && bytes !== undefined) return { manifest, mac: bytes };
  } catch {
    // Every problem has the same meaning: the file is not a manifest.
  }
  throw new UnverifiedError(`${directory} is not a complete backup: ${path} is missing or damaged`);
}

/** Throws UnusableDataError unless an enclave with this root key wrote this manifest. */
export async function checkMac(
  { manifest, mac }: { readonly manifest: BackupManifest; readonly mac: Uint8Array },
  custodian: Custodian,
): Promise<void> {
  const { mac: expected } = await custodian.call('vouch', { manifest: bytesOf(manifest) });
  if (equalBytes(expected, mac)) return;
  throw new UnverifiedError(
    'the manifest of the backup was altered, or was written under another root key',
  );
}

/**
 * @throws UnusableDataError when the database of a backup differs from its manifest.
 */
export async function checkDigest(file: string, manifest: BackupManifest): Promise<void> {
  const { bytes, sha256 } = await digestOf(file);
  if (bytes === manifest.file.bytes && sha256 === manifest.file.sha256) return;
  throw new UnverifiedError(`${file} is not the database that the manifest describes`);
}

/** Returns the length and the SHA-256 (hex) of a file. */
export async function digestOf(file: string): Promise<BackupManifest['file']> {
  const hash = createHash('sha256');
  try {
    requirePlainFile(file);
    for await (const chunk of createReadStream(file)) hash.update(chunk);
    return { bytes: statSync(file).size, sha256: hash.digest('hex') };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UnusableDataError(`${file} cannot be read (${error.code})`);
  }
}

/** Opening a pipe without a writer would block the process. Raises UnverifiedError. */
export function requirePlainFile(file: string): void {
  if (!statSync(file).isFile()) throw new UnverifiedError(`${file} is not a regular file`);
}

const bytesOf = (manifest: BackupManifest): Uint8Array => utf8(JSON.stringify(manifest));
