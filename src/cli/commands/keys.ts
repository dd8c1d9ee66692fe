import { command } from '../command_line/command.ts';

export default command({
  summary: 'Prints the public keys of the service from its root key, for clients to pin.',
  reach: 'local',
  takesAllFlags: true,
  node: 26,
  examples: { keys: 'Prints the keys of the service in ./data.' },
  run: async ({ arguments: { words }, terminal }) => {
    const { readSettings } = await import('../../settings/settings.ts');
    const { runKeysCommand } = await import('../custody/keys_command.ts');
    await runKeysCommand(readSettings(terminal.environment, words), terminal, terminal.out);
  },
  arguments: [
    { name: 'words', summary: 'Flags of the settings, see keywright serve.', count: 'many' },
  ],
});
