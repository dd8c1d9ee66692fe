import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findWallet } from '../../service/find.ts';
import { requireExported, withoutExportOption } from '../../transfers/exported.ts';

export default command({
  summary: 'Deletes a wallet with its accounts; it cannot be restored.',
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name or id of the wallet.' }],
  options: { 'without-export': withoutExportOption },
  examples: {
    'wallet delete shop': 'Deletes a wallet that was exported; prompts for its name.',
    'wallet delete shop --without-export':
      'Deletes the wallet even if its recovery phrase was never exported.',
  },
  run: async ({ arguments: { name: word }, options, output, terminal, service }) => {
    const deleteWithoutExport = options['without-export'];
    const { client, common, submit } = await service();
    const { walletId, walletName: name, exported } = await findWallet(client, word);
    requireExported('wallet', { name, exported }, deleteWithoutExport);
    await confirm(terminal, common, {
      warning: exported
        ? `The wallet ${name} and its accounts are deleted here; only its exported recovery phrase brings them back.`
        : `The wallet ${name} is deleted, and everything that its addresses hold is lost for good.`,
      type: name,
    });
    const result = await submit('delete_wallets', { walletIds: [walletId], deleteWithoutExport });
    if (result === undefined) return;
    output.thing({ Deleted: name, ID: walletId }, { document: result, ids: [walletId] });
  },
});
