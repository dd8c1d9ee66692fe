// The anchor: a file outside of the database that records which replica of the data signs. It holds no
// secret. An attacker who can write it can stop the service, and can hide that a replica was accepted.

import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { utf8 } from '../../core/base/bytes.ts';
import type { Anchor } from '../../core/custody/record.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { GatewayMessages } from '../../ipc/messages.ts';
import type { Settings } from '../../settings/settings.ts';
import { withFileLock, writeFilePrivately } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';

/**
 * Returns the anchor file: the configured path, else next to the root key, else in the data directory. The
 * source of the root key may have no room for files: a mounted secret, a descriptor, a command.
 */
export function anchorFileOf({
  anchorFile,
  rootKeyFile,
  dataDirectory,
}: Pick<Settings, 'anchorFile' | 'rootKeyFile' | 'dataDirectory'>): string {
  if (anchorFile !== undefined) return anchorFile;
  const beside = rootKeyFile === undefined ? dataDirectory : dirname(rootKeyFile);
  return join(takesFiles(beside) ? beside : dataDirectory, 'anchor.json');
}

function takesFiles(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // The folder is mounted read-only, or belongs to another user.
    return false;
  }
}

/**
 * Reads the anchor; undefined without a file.
 * @throws UnusableDataError if the file is unreadable or not an anchor.
 */
export function readAnchor(file: string): Anchor | undefined {
  const text = textOf(file);
  const anchor = text === undefined ? undefined : anchorOf(text);
  if (text === undefined || anchor !== undefined) return anchor;
  throw new UnusableDataError(`the anchor file ${file} does not hold an organization and an epoch`);
}

/** The handlers for the enclave's requests to the anchor. */
export function anchorHandlers(
  file: string,
): Pick<Handlers<GatewayMessages>, 'anchor' | 'setAnchor'> {
  return {
    anchor: async () => ({ anchor: readAnchor(file) }),
    setAnchor: async (anchor) => {
      const raised = withFileLock(`${file}.lock`, () => {
        // Another replica may have been accepted since the enclave's read, and must not be overwritten.
        if ((readAnchor(file)?.epoch ?? 0) >= anchor.epoch) return false;
        writeFilePrivately(file, utf8(`${JSON.stringify(anchor)}\n`), { replace: true });
        return true;
      });
      return { raised };
    },
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    throw new UnusableDataError(`the anchor file ${file} cannot be read (${code})`);
  }
}

function anchorOf(text: string): Anchor | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('organizationId' in value) || !('epoch' in value)) return undefined;
    const { organizationId, epoch } = value;
    const isAnchor = typeof organizationId === 'string' && Number.isSafeInteger(epoch);
    return isAnchor ? { organizationId, epoch: Number(epoch) } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
