// The state file of a witness: its key, and the newest checkpoint of each log.

import { existsSync } from 'node:fs';
import { lockFile, writeFilePrivately } from '../../store/data_directory/data_directory.ts';
import { readPrivateText } from '../files/files.ts';
import { usage } from '../words/failures.ts';

export type WitnessFile = {
  readonly privateKey: string;
  read(origin: string): string | undefined;
  /** Stores a checkpoint durably. */
  write(origin: string, note: string): void;
  origins(): readonly string[];
  close(): void;
};

/**
 * Opens the file and locks it until `close`, so that no second process uses its key. Creates a missing file
 * with a key from `newKey`. Throws `usage` for files of another kind.
 */
export async function openWitnessFile(path: string, newKey: () => string): Promise<WitnessFile> {
  const lock = lockFile(`${path}.lock`, `the state ${path} of a witness`);
  try {
    const isNew = !existsSync(path);
    const { key, logs } = isNew
      ? { key: newKey(), logs: new Map<string, string>() }
      : stateIn(await readPrivateText(path), path);
    const save = (): void => {
      const state = { witnessFormat, key, logs: Object.fromEntries(logs) };
      const bytes = new TextEncoder().encode(`${JSON.stringify(state, undefined, 2)}\n`);
      writeFilePrivately(path, bytes, { replace: true });
      bytes.fill(0);
    };
    if (isNew) save();
    return {
      privateKey: key,
      read: (origin) => logs.get(origin),
      write: (origin, note) => {
        const before = logs.get(origin);
        logs.set(origin, note);
        try {
          save();
        } catch (error) {
          // After this error the witness returns no cosignature, so the previous checkpoint stays valid.
          if (before === undefined) logs.delete(origin);
          else logs.set(origin, before);
          throw error;
        }
      },
      origins: () => [...logs.keys()],
      close: () => lock.close(),
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

const witnessFormat = 'keywright-witness/v1';

function stateIn(text: string, path: string) {
  const malformed = () => usage(`${path} is not the state of a witness`);
  try {
    const { witnessFormat: format, key, logs } = JSON.parse(text);
    // A state without its checkpoints would let the witness cosign an older log.
    const isWhole = format === witnessFormat && typeof key === 'string' && isMap(logs);
    const notes = isWhole ? Object.entries(logs) : [];
    if (!isWhole || !notes.every(([, note]) => typeof note === 'string')) throw malformed();
    return { key: `${key}`, logs: new Map(notes.map(([origin, note]) => [origin, `${note}`])) };
  } catch {
    throw malformed();
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
