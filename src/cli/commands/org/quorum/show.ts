import { command } from '../../../command.ts';

export default command({
  words: 'org quorum show',
  summary: 'Shows who forms the root quorum, and how many of them suffice.',
  reach: 'reads',
  examples: [{ type: 'org quorum show', does: 'Prints the threshold and the members.' }],
  run: async ({ output, service }) => {
    const { client } = await service();
    const { quorum } = (await client.query('get_organization_configs')).configs;
    const { users } = await client.query('list_users');
    output.thing(
      {
        Threshold: quorum.threshold,
        Members: quorum.userIds
          .map((id) => users.find(({ userId }) => userId === id)?.userName ?? id)
          .join(', '),
      },
      { document: quorum, ids: quorum.userIds },
    );
  },
});
