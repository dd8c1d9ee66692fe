import { command } from '../../../command_line/command.ts';
import { findUser } from '../../../service/find.ts';
import { timeText } from '../../../words/times.ts';

export default command({
  summary: 'Lists the passkeys of a user.',
  reach: 'reads',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  examples: { 'user passkey list alice': 'Prints their names and creation times.' },
  run: async ({ arguments: { user: word }, output, service }) => {
    const { client } = await service();
    const { userId } = await findUser(client, word);
    const answer = await client.query('get_authenticators', { userId });
    output.list(
      answer.authenticators.map(({ authenticatorName, authenticatorId, model, createdAt }) => ({
        Name: authenticatorName,
        ID: authenticatorId,
        Model: model,
        Since: timeText(createdAt),
      })),
      {
        document: answer,
        ids: answer.authenticators.map(({ authenticatorId }) => authenticatorId),
        empty: 'No passkeys.',
      },
    );
  },
});
