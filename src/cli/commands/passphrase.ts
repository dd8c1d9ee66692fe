import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { command } from '../command_line/command.ts';
import { writePrivateFile } from '../files/files.ts';
import { keyFileBytes, openedKey, readStoredKey } from '../keys/key_file.ts';
import { newPassphraseOptions, sealIfRequested } from '../keys/new_passphrase.ts';
import { passphraseAsker } from '../keys/passphrases.ts';
import { isSealed } from '../keys/stored_key.ts';
import { keyFileOf, profileNamed, readProfiles } from '../profiles/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure, usage } from '../words/failures.ts';
import { flag, option } from '../words/options.ts';

export default command({
  summary: 'Adds, replaces or removes the passphrase of the key in a file.',
  reach: 'local',
  arguments: [
    { name: 'file', summary: 'The key file. Default: the file of the profile.', count: 'optional' },
  ],
  options: {
    profile: option('NAME', 'Profile whose key it is. Default: the current profile.'),
    remove: flag('Writes the key in the open again.'),
    'key-passphrase-file': option('FILE', 'File of the current passphrase. Default: a prompt.'),
    'new-passphrase-file': newPassphraseOptions['new-passphrase-file'],
  },
  examples: {
    'passphrase ops.json --new-passphrase-file passphrase.txt':
      'Seals a key file; without the flag it prompts for the passphrase.',
    'passphrase ops.json --remove --key-passphrase-file passphrase.txt':
      'Writes the key in the open again.',
  },
  run: async ({ arguments: { file }, options, output, terminal }) => {
    const { remove, profile, 'new-passphrase-file': newFile } = options;
    if (remove && newFile !== undefined) throw usage('--remove takes no new passphrase');
    const named = file === undefined ? await fileOfProfile(profile, terminal) : undefined;
    const given = named ?? resolve(terminal.workingDirectory, file ?? '');
    // Follow links: otherwise the unsealed key would remain in the target of the link.
    const path = await realpath(given).catch(() => given);
    const before = await readStoredKey(path);
    if (remove && !isSealed(before)) throw usage(`${path} has no passphrase`);
    const { environment } = terminal;
    const ask = passphraseAsker(
      options['key-passphrase-file'] ?? environment['KEYWRIGHT_KEY_PASSPHRASE_FILE'],
      '--key-passphrase-file',
      terminal,
    );
    const key = await openedKey(before, path, ask);
    const after = await sealIfRequested(key, { ...options, passphrase: !remove }, terminal);
    // Another login may have replaced the key during the prompt.
    if (JSON.stringify(await readStoredKey(path)) !== JSON.stringify(before)) throw changed(path);
    await writePrivateFile(path, keyFileBytes(after), { replaces: true });
    output.thing(
      { 'Key file': path, Passphrase: remove ? 'none' : 'new' },
      { document: { keyFile: path, sealed: !remove }, ids: [path] },
    );
    if (!isSealed(before)) {
      output.note(
        'The disk and backups may still contain the unsealed key: then create a new one.',
      );
    }
  },
});

async function fileOfProfile(asked: string | undefined, terminal: Terminal): Promise<string> {
  const { current, profiles } = await readProfiles(terminal);
  const name = asked ?? terminal.environment['KEYWRIGHT_PROFILE'] ?? current;
  if (name === undefined) throw usage('there is no profile: pass a key file');
  if (profileNamed(name, profiles).keyCommand === undefined) return keyFileOf(terminal, name);
  throw usage(`the key of profile ${name} is printed by its keyCommand, and in no file here`);
}

const changed = (path: string): Failure =>
  new Failure({
    exit: 'conflict',
    code: 'file_changed',
    message: `${path} was changed meanwhile; nothing was written.`,
    next: 'Type the command again.',
  });
