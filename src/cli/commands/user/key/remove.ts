import { command } from '../../../command_line/command.ts';
import { quoted } from '../../../files/files.ts';
import { confirm } from '../../../output/confirm.ts';
import { findByName, findUser } from '../../../service/find.ts';

export default command({
  summary: 'Deletes an API key of a user.',
  reach: 'destroys',
  arguments: [
    { name: 'user', summary: 'Name or id of the user.' },
    { name: 'key', summary: 'Name or id of the API key.' },
  ],
  examples: {
    "user key remove alice 'Old key'": 'Asks for the name, then deletes it.',
  },
  run: async ({ arguments: places, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { userId, userName, apiKeys } = await findUser(client, places.user);
    const named = apiKeys.map((key) => ({ id: key.apiKeyId, name: key.apiKeyName }));
    const { id, name } = findByName(
      'API key',
      places.key,
      named,
      `keywright user key list ${quoted(userName)}`,
    );
    const warning = `${userName} cannot sign with the key ${name} any more.`;
    await confirm(terminal, common, { warning, type: name });
    const result = await submit('delete_api_keys', { userId, apiKeyIds: [id] });
    if (result !== undefined)
      output.thing({ Deleted: name, ID: id }, { document: result, ids: [id] });
  },
});
