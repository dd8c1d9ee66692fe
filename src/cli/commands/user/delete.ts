import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findUser } from '../../service/find.ts';

export default command({
  summary: 'Deletes a user with its credentials.',
  reach: 'destroys',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  examples: { 'user delete dave': 'Asks for the name, then deletes the user.' },
  run: async ({ arguments: { user: word }, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { userId, userName } = await findUser(client, word);
    const warning = `The user ${userName} and all its credentials are lost.`;
    await confirm(terminal, common, { warning, type: userName });
    const result = await submit('delete_users', { userIds: [userId] });
    if (result === undefined) return;
    output.thing({ Deleted: userName, ID: userId }, { document: result, ids: [userId] });
  },
});
