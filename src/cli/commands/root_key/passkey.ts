import { command } from '../../command_line/command.ts';

export default command({
  summary: 'Creates a passkey that opens a share of the root key, and prints its age recipient.',
  reach: 'local',
  node: 26,
  examples: {
    'root-key passkey': 'Opens a page in a browser on this machine, and prints age1….',
  },
  run: async ({ output, terminal }) => {
    const { newOperatorPasskey } = await import('../../custody/operator_passkeys.ts');
    const { credentialId, recipient } = await newOperatorPasskey(terminal);
    output.thing(
      {
        Recipient: recipient,
        Passkey: credentialId,
        Next: 'Give the recipient to the person who runs root-key init or root-key split.',
      },
      { document: { recipient, credentialId }, ids: [recipient] },
    );
  },
});
