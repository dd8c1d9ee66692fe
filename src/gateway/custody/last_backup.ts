// The time of the last completely verified backup: a file in the data folder of the machine that took it, for
// metrics and for `keywright doctor`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type LastBackup = { readonly createdAtMs: number; readonly directory: string };

export function lastBackupFile(dataDirectory: string): string {
  return join(dataDirectory, 'last-backup.json');
}

/** Returns the last backup of this data folder; undefined if its file is missing or unreadable. */
export function readLastBackup(dataDirectory: string): LastBackup | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(lastBackupFile(dataDirectory), 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('createdAtMs' in value) || !('directory' in value)) return undefined;
    return { createdAtMs: Number(value.createdAtMs), directory: String(value.directory) };
  } catch {
    // The file is missing or unreadable.
    return undefined;
  }
}
