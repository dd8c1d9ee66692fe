// Reads secret files: checks who can read them, and leaves no copy in memory.

import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { secretBytes, wipe } from '../../core/base/bytes.ts';
import { UnusableDataError } from '../unusable_data_error.ts';

/** The properties that determine who can read an open file. */
type FileAccess = {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  /** Evaluated on demand: true if the file's file system is mounted read-only. */
  readonly isMountedReadOnly: () => boolean;
};

const groupRead = 0o040;
const accessOfGroup = 0o070;
const accessOfAll = 0o007;
const rootId = 0;

/**
 * Returns true if users other than the reader and root can read or write a file. The group may read a file
 * that root mounted read-only for this process. Credentials of systemd are 0440 of root and its group,
 * because the mode reflects the service's access list. Secrets of Kubernetes are 0440 of root and the group
 * of the pod (`fsGroup`).
 */
export function isOpenToOthers(
  { uid, gid, mode, isMountedReadOnly }: FileAccess,
  readerGroups: readonly number[],
): boolean {
  if ((mode & accessOfAll) !== 0) return true;
  const ofGroup = mode & accessOfGroup;
  if (ofGroup === 0) return false;
  const isHandedOver =
    ofGroup === groupRead && uid === rootId && (gid === rootId || readerGroups.includes(gid));
  return !(isHandedOver && isMountedReadOnly());
}

/** A secret's file, its name in messages, and the maximum length. */
type SecretFile = {
  readonly path: string;
  /** Name for messages, as in "the root key". */
  readonly what: string;
  readonly maximumBytes: number;
};

/**
 * Returns the bytes of a file, the caller's to wipe, or undefined if the file is missing. A file longer than
 * the bound is cut one byte after it, so that callers can detect it; `sizeBytes` is the whole length. Raises
 * UnusableDataError for a file that is open to other users, not plain or not readable. Follows symbolic
 * links, which Kubernetes uses.
 */
export function readSecretFile({
  path,
  what,
  maximumBytes,
}: SecretFile): { readonly bytes: Uint8Array; readonly sizeBytes: number } | undefined {
  const file = openExisting(path);
  if (file === undefined) return undefined;
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new UnusableDataError(`${what} ${path} is not a plain file`);
    const { uid, gid, mode, size } = status;
    const isMountedReadOnly = () => isOnReadOnlyMount(file);
    if (isOpenToOthers({ uid, gid, mode, isMountedReadOnly }, ownGroups())) {
      const close = isMountedReadOnly()
        ? 'mount it with mode 0400, or 0440 and a group of the service'
        : `close it with: chmod 600 ${path}`;
      throw new UnusableDataError(
        `${what} ${path} is open to other users (mode ${modeText(mode)}), ${close}`,
      );
    }
    // The extra byte reveals a file that is too long, or that has grown since it was measured.
    const bytes = secretBytes(maximumBytes + 1);
    try {
      // A view, not a copy, so wiping it wipes everything that was read.
      return { bytes: bytes.subarray(0, readSync(file, bytes)), sizeBytes: size };
    } catch (error) {
      wipe(bytes);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

function openExisting(path: string): number | undefined {
  try {
    // Opening a pipe without a writer would block the process.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES') {
      throw new UnusableDataError(`${path} cannot be read by the user of this process`);
    }
    throw error;
  }
}

function ownGroups(): readonly number[] {
  const effective = process.getegid?.();
  return [...(process.getgroups?.() ?? []), ...(effective === undefined ? [] : [effective])];
}

/** Reads Linux's list of mounts; on other systems no mount counts as read-only. */
function isOnReadOnlyMount(file: number): boolean {
  try {
    return isReadOnlyMount(
      readFileSync(`/proc/self/fdinfo/${file}`, 'utf8'),
      readFileSync('/proc/self/mountinfo', 'utf8'),
    );
  } catch {
    // Without these files the mount is unknown.
    return false;
  }
}

/** Finds the mount of an open file (proc_pid_fdinfo(5)) among all (proc_pid_mountinfo(5)). */
export function isReadOnlyMount(fileInformation: string, mounts: string): boolean {
  const id = /^mnt_id:\s*(\d+)$/m.exec(fileInformation)?.[1];
  const mount = mounts.split('\n').find((line) => id !== undefined && line.startsWith(`${id} `));
  // Id, parent, device, root, mount point, options of the mount.
  const options = mount?.split(' ')[5]?.split(',') ?? [];
  return options.includes('ro');
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
