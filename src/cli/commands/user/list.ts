import { command } from '../../command_line/command.ts';
import { tagNames } from '../../service/find.ts';

export default command({
  summary: 'Lists the users of the organization, oldest first.',
  reach: 'reads',
  examples: {
    'user list': 'Prints names, contacts, tags and the number of credentials.',
  },
  run: async ({ output, service }) => {
    const { client } = await service();
    const [answer, nameOf] = [await client.query('list_users'), await tagNames(client)];
    output.list(
      answer.users.map((user) => ({
        Name: user.userName,
        ID: user.userId,
        'E-mail': user.userEmail,
        Tags: user.userTags.map(nameOf).join(' '),
        'API keys': user.apiKeys.length,
        Passkeys: user.authenticators.length,
      })),
      { document: answer, ids: answer.users.map(({ userId }) => userId) },
    );
  },
});
