import { command } from '../../command_line/command.ts';
import { kindOf } from '../../words/address_kinds.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Lists the private keys of the organization, oldest first, without the keys.',
  reach: 'reads',
  examples: {
    'key list': 'Prints a table of private keys.',
    'key list --quiet': 'Prints their ids, a line each.',
  },
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('list_private_keys');
    output.list(
      answer.privateKeys.map((key) => ({
        Name: key.privateKeyName,
        ID: key.privateKeyId,
        Curve: key.curve.replace('CURVE_', '').toLowerCase(),
        Addresses: key.addresses.map(({ format = '' }) => kindOf(format)).join(' '),
        Created: timeText(key.createdAt),
        Exported: key.exported ? 'yes' : 'no',
      })),
      {
        document: answer,
        ids: answer.privateKeys.map(({ privateKeyId }) => privateKeyId),
        empty: 'No private keys yet: keywright key create NAME',
      },
    );
  },
});
