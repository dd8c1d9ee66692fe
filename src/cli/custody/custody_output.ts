// Prints the results, warnings and errors of custody commands.

import type { BackupManifest } from '../../gateway/custody/manifest.ts';
import { UnverifiedError } from '../../gateway/custody/unverified_error.ts';
import type { Log } from '../../gateway/observability/log.ts';
import { jsonText, type Output, visible } from '../output/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { timeText } from '../words/times.ts';

/** Prints a backup. Scripts get its manifest; `--quiet` prints only the folder. */
export function showBackup(output: Output, directory: string, manifest: BackupManifest): void {
  const { createdAtMs, organizationId, epoch, rows, file } = manifest;
  const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
  output.thing(
    {
      Folder: directory,
      Taken: timeText({ seconds: createdAtMs / 1000 }),
      Organization: organizationId,
      Epoch: String(epoch),
      Rows: `${count}, of which ${rows['activities'] ?? 0} activities`,
      Size: `${Math.ceil(file.bytes / 1_000_000)} MB`,
      Digest: file.sha256,
    },
    { document: { directory, ...manifest }, ids: [directory] },
  );
}

/** Converts `UnverifiedError` to a failure with exit code 9. */
export async function verified<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UnverifiedError)) throw error;
    throw new Failure({ exit: 'not_verified', message: error.message });
  }
}

/**
 * Prints warnings and errors of the enclave and the store to standard error. Results go to standard output.
 */
export function logTo(terminal: Terminal): Log {
  return (level, message, fields) => {
    if (level === 'info') return;
    terminal.err(`${visible(message)} ${jsonText(fields)}\n`);
  };
}
