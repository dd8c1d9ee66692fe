import { command } from '../../command_line/command.ts';
import { findSecret } from '../../service/find.ts';
import { exportToFile, toOption } from '../../transfers/exports.ts';

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1' as const;

export default command({
  summary: 'Exports the text of a secret to a file, unchanged.',
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name or id of the secret.' }],
  options: { to: toOption },
  examples: {
    'export secret api-token --to token.txt': 'Asks for the name, then writes the text.',
  },
  run: async ({ arguments: { name: word }, options, output, terminal, service }) => {
    const connected = await service();
    const { client, submit } = connected;
    const { secretId, name } = await findSecret(client, word);
    const of = (targetPublicKey: string) => ({
      secrets: [{ secretId, targetPublicKey, encryptionSuite }],
    });
    const file = await exportToFile(
      { connected, terminal, output },
      {
        to: options.to,
        name,
        what: `text of the secret ${name}`,
        preview: (targetPublicKey) => client.dryRun('export_secrets', of(targetPublicKey)),
        submit: async (targetPublicKey) =>
          (await submit('export_secrets', of(targetPublicKey)))?.secretPayloads[0],
        contentOf: (plaintext) => Uint8Array.from(plaintext),
      },
    );
    if (file === undefined) return;
    output.thing({ Exported: name, File: file }, { document: { secretId, file }, ids: [secretId] });
  },
});
