import { command } from '../../command_line/command.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Shows which users may sign with which wallets, decided by the present policies.',
  reach: 'reads',
  node: 26,
  options: {
    svg: flag('Prints the map as an SVG picture.'),
  },
  examples: {
    'policy map': 'Prints a row for each user and wallet.',
    'policy map --svg': 'Prints the map as a picture.',
  },
  run: async ({ options: { svg }, output, service, terminal }) => {
    const { client } = await service();
    const [{ policies }, { users }, { wallets }, { configs }] = await Promise.all([
      client.query('list_policies'),
      client.query('list_users'),
      client.query('list_wallets'),
      client.query('get_organization_configs'),
    ]);
    const [{ policyMap }, { mapSvg, reachText }] = await Promise.all([
      import('../../../core/policy/map/policy_map.ts'),
      import('../../policies/map_svg.ts'),
    ]);
    const { quorum } = configs;
    const rows = policyMap({ policies, users, wallets, quorum }, new Date(client.now()));
    if (svg && !output.json) {
      terminal.out(mapSvg(rows, wallets.length));
      return;
    }
    output.list(
      rows.map(({ user, wallet, messages, transactions }) => ({
        User: user,
        Wallet: wallet,
        Messages: reachText(messages),
        Transactions: reachText(transactions),
      })),
      { document: { rows }, ids: [], empty: 'No wallets.' },
    );
  },
});
