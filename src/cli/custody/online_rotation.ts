// Requests a root key rotation from a running service, and waits for its end.

import type { Settings } from '../../settings/settings.ts';
import { givenPassphrase } from '../keys/passphrases.ts';
import { progressBar } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Requests the rotation, and waits until the service has ended it. Returns the epoch and the sealed rows. */
export async function rotateOnline(
  settings: Settings,
  terminal: Terminal,
): Promise<{ readonly epoch: number; readonly rows: number; readonly isShared: boolean }> {
  const { followRotation, writeNextKey } = await import('../../gateway/rotation/next_key_file.ts');
  const passphrase = await passphraseOf(settings, terminal);
  let next: string;
  try {
    next = await writeNextKey(settings, passphrase);
  } finally {
    passphrase?.fill(0);
  }
  const bar = progressBar(terminal);
  try {
    const status = await followRotation(next, settings, {
      show: ({ sentence, rows, total }) => bar.show(sentence, rows, total),
      signal: terminal.signal,
    });
    return {
      epoch: status?.epoch ?? 0,
      rows: status?.sealed ?? 0,
      isShared: settings.databaseUrl !== undefined,
    };
  } finally {
    bar.end();
  }
}

async function passphraseOf(
  { rootKeyProvider, rootKeyPassphraseFile }: Settings,
  terminal: Terminal,
): Promise<Uint8Array | undefined> {
  if (rootKeyProvider !== 'passphrase') return undefined;
  const { passphraseOf: checked, readPassphraseFile } = await import(
    '../../gateway/root_key/read_passphrase.ts'
  );
  if (rootKeyPassphraseFile !== undefined) return readPassphraseFile(rootKeyPassphraseFile);
  return checked(await givenPassphrase(terminal, { isNew: false }), 'what was given');
}
