// The progress of a rotation as a file in the data folder, which `keywright root-key rotate --online` shows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { utf8 } from '../../core/base/bytes.ts';
import { isJsonObject, type Json } from '../../core/schema/json.ts';
import { writeFilePrivately } from '../../store/data_directory/data_directory.ts';

/**
 * `waiting`: for the nodes in the sentence. `checking`: all rows are opened. `sealing`: rows are sealed
 * again. `ended`: the earlier key opens nothing. `failed`: the service retries.
 */
const rotationStates = ['waiting', 'checking', 'sealing', 'ended', 'failed'] as const;

export type RotationStatus = {
  readonly state: (typeof rotationStates)[number];
  readonly sentence: string;
  readonly epoch: number;
  /** Rows seen by the current pass, and rows of the database. */
  readonly rows: number;
  readonly total: number;
  /** Rows that were sealed again so far. */
  readonly sealed: number;
  /** True if the database file was rebuilt after the rotation. */
  readonly isCompact?: boolean;
};

/** Returns the path of the file in a data folder. */
export const rotationStatusPath = (dataDirectory: string): string =>
  join(dataDirectory, 'root-key-rotation.json');

export function writeRotationStatus(path: string, status: RotationStatus): void {
  writeFilePrivately(path, utf8(`${JSON.stringify(status)}\n`), { replace: true });
}

/** Reads the file; undefined if it is missing. */
export function readRotationStatus(path: string): RotationStatus | undefined {
  let json: Json;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
  if (!isJsonObject(json)) return undefined;
  const state = rotationStates.find((known) => known === json['state']);
  const number = (name: string) => Number(json[name] ?? 0);
  return (
    state && {
      state,
      sentence: String(json['sentence'] ?? ''),
      epoch: number('epoch'),
      rows: number('rows'),
      total: number('total'),
      sealed: number('sealed'),
      isCompact: json['isCompact'] === true,
    }
  );
}
