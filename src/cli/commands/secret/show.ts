import { command } from '../../command_line/command.ts';
import { findSecret } from '../../service/find.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Shows the name and properties of a secret; export secret returns its text.',
  reach: 'reads',
  arguments: [{ name: 'secret', summary: 'Name or id of the secret.' }],
  examples: { 'secret show api-token': 'Prints its id and its properties.' },
  run: async ({ arguments: { secret: word }, output, service }) => {
    const { client } = await service();
    const { id, name, ...secret } = await findSecret(client, word);
    output.thing(
      {
        Secret: name,
        ID: id,
        Created: timeText(new Date(Number(secret.createdAtUnixMs)).toISOString()),
        Properties: secret.staticProperties.map(({ key, value }) => `${key}=${value}`).join(' '),
      },
      { document: { secret: { ...secret, name } }, ids: [id] },
    );
  },
});
