// The folder of the temporary files of a run.

import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const inMemory = '/dev/shm';

/** More memory than the files and the processes of a run need together. */
const leastBytes = 8 * 2 ** 30;

/**
 * Returns the folder that TMPDIR names. By default returns a folder in memory if there is room, because the
 * services of the tests wait for the disk at each change.
 */
export function temporaryFolder(): string {
  return process.env['TMPDIR'] === undefined && hasRoom() ? inMemory : tmpdir();
}

function hasRoom(): boolean {
  if (process.platform !== 'linux' || !existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  return Math.min(bavail * bsize, freemem()) >= leastBytes && runsPrograms();
}

/** Tests write programs into their folders. Containers often mount this folder with `noexec`. */
function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.flatMap((line) => {
    const [, folder, type, words = ''] = line.split(' ');
    return folder === inMemory && type === 'tmpfs' ? [words.split(',')] : [];
  });
  return options.at(-1)?.includes('noexec') === false;
}
