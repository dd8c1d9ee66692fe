import { command } from '../../../command_line/command.ts';
import { quoted } from '../../../files/files.ts';
import { confirm } from '../../../output/confirm.ts';
import { findByName, findUser } from '../../../service/find.ts';

export default command({
  summary: 'Deletes a passkey of a user.',
  reach: 'destroys',
  arguments: [
    { name: 'user', summary: 'Name or id of the user.' },
    { name: 'passkey', summary: 'Name or id of the passkey.' },
  ],
  examples: {
    'user passkey remove alice Laptop': 'Asks for the name, then deletes it.',
  },
  run: async ({ arguments: places, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { userId, userName, authenticators } = await findUser(client, places.user);
    const named = authenticators.map((row) => ({
      id: row.authenticatorId,
      name: row.authenticatorName,
    }));
    const { id, name } = findByName(
      'passkey',
      places.passkey,
      named,
      `keywright user passkey list ${quoted(userName)}`,
    );
    const warning = `${userName} cannot sign in with the passkey ${name} any more.`;
    await confirm(terminal, common, { warning, type: name });
    const result = await submit('delete_authenticators', { userId, authenticatorIds: [id] });
    if (result !== undefined)
      output.thing({ Deleted: name, ID: id }, { document: result, ids: [id] });
  },
});
