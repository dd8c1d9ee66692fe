import { command } from '../../command_line/command.ts';
import { givenPassphrase } from '../../keys/passphrases.ts';
import { Failure } from '../../words/failures.ts';

export default command({
  summary: 'Unseals a service on this machine with the passphrase of its root key.',
  reach: 'local',
  takesAllFlags: true,
  node: 26,
  examples: {
    unseal: 'Asks for the passphrase and opens the service in ./data.',
    'unseal --data-dir /var/lib/keywright':
      'Unseals another service; run it as the user of that service, because no other user may.',
  },
  run: async ({ arguments: { words }, output, terminal }) => {
    const { readSettings } = await import('../../../settings/settings.ts');
    const { passphraseOf } = await import('../../../gateway/root_key/read_passphrase.ts');
    const { sendUnseal, unsealSocketPath } = await import(
      '../../../gateway/root_key/unseal_socket.ts'
    );
    const { dataDirectory } = readSettings(terminal.environment, words);
    const given = await givenPassphrase(terminal, { isNew: false });
    const passphrase = passphraseOf(given, 'what was given');
    try {
      const answer = await sendUnseal(unsealSocketPath(dataDirectory), passphrase);
      if (answer === undefined) {
        throw new Failure({
          exit: 'unreachable',
          message: `no sealed service waits for a passphrase in ${dataDirectory}`,
          next: 'Name its folder with --data-dir, and run this as its user; /health/ready reports whether it is sealed.',
        });
      }
      if (answer.refusal !== undefined) {
        throw new Failure({ exit: 'refused', code: 'still_sealed', message: answer.refusal });
      }
    } finally {
      passphrase.fill(0);
    }
    output.thing({ Service: 'open' }, { document: { service: 'open' }, ids: [] });
  },
  arguments: [
    { name: 'words', summary: 'Flags of the settings, see keywright serve.', count: 'many' },
  ],
});
