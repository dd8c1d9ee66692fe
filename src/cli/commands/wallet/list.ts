import { command } from '../../command_line/command.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Lists the wallets of the organization, oldest first.',
  reach: 'reads',
  examples: {
    'wallet list': 'Prints a table of wallets.',
    'wallet list --quiet': 'Prints their ids, a line each.',
  },
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('list_wallets');
    output.list(
      answer.wallets.map(({ walletName, walletId, createdAt, exported, imported }) => ({
        Name: walletName,
        ID: walletId,
        Created: timeText(createdAt),
        Exported: exported ? 'yes' : 'no',
        Imported: imported ? 'yes' : 'no',
      })),
      {
        document: answer,
        ids: answer.wallets.map(({ walletId }) => walletId),
        empty: 'No wallets yet: keywright wallet create NAME',
      },
    );
  },
});
