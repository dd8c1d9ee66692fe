import { command } from '../../command_line/command.ts';
import { findKey } from '../../service/find.ts';
import { exportToFile, toOption } from '../../transfers/exports.ts';
import { jsonWithSecret } from '../../transfers/secret_json.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Exports a private key into a file, in hex; of Ed25519 the seed.',
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name or id of the private key.' }],
  options: {
    to: toOption,
    hex: flag('Writes only the hex digits, in the form of other programs.'),
  },
  examples: {
    'export key deploy --to deploy.json': 'Asks for the name, then writes the file.',
    'export key deploy --to deploy.hex --hex': 'Writes only the hex digits.',
  },
  run: async ({ arguments: { name: word }, options, output, terminal, service }) => {
    const connected = await service();
    const { client, submit } = connected;
    const { privateKeyId, name, curve, publicKey, addresses } = await findKey(client, word);
    const file = await exportToFile(
      { connected, terminal, output },
      {
        to: options.to,
        name,
        what: `private key ${name}`,
        preview: (targetPublicKey) =>
          client.dryRun('export_private_key', { privateKeyId, targetPublicKey }),
        submit: async (targetPublicKey) =>
          (await submit('export_private_key', { privateKeyId, targetPublicKey }))?.exportBundle,
        contentOf: (plaintext) => {
          const digits = hexDigits(plaintext);
          if (options.hex) return Buffer.concat([digits, Buffer.from('\n')]);
          const members = { kind: 'key', name, privateKeyId, curve, publicKey, addresses };
          const content = jsonWithSecret(members, 'privateKey', digits);
          digits.fill(0);
          return content;
        },
      },
    );
    if (file === undefined) return;
    output.thing(
      { Exported: name, File: file },
      { document: { privateKeyId, file, addresses }, ids: [privateKeyId] },
    );
  },
});

const digits = Buffer.from('0123456789abcdef');

/** Returns lower-case hex digits as bytes, which can be wiped. */
const hexDigits = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([...bytes].flatMap((byte) => [digits[byte >> 4] ?? 0, digits[byte & 15] ?? 0]));
