import { command } from '../../command_line/command.ts';
import { findKey } from '../../service/find.ts';
import { kindOf } from '../../words/address_kinds.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Shows the public part of a private key.',
  reach: 'reads',
  arguments: [{ name: 'key', summary: 'Name or id of the private key.' }],
  examples: { 'key show deploy': 'Prints its public key and its addresses.' },
  run: async ({ arguments: { key: word }, output, service }) => {
    const { client } = await service();
    const { id, name, ...privateKey } = await findKey(client, word);
    output.thing(
      {
        'Private key': name,
        ID: id,
        Curve: privateKey.curve.replace('CURVE_', '').toLowerCase(),
        'Public key': privateKey.publicKey,
        Created: timeText(privateKey.createdAt),
        Exported: privateKey.exported ? 'yes' : 'no',
        Imported: privateKey.imported ? 'yes' : 'no',
        ...Object.fromEntries(
          privateKey.addresses.map(({ format = '', address }) => [kindOf(format), address]),
        ),
      },
      { document: { privateKey }, ids: [id] },
    );
  },
});
