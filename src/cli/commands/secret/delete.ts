import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findSecret } from '../../service/find.ts';

export default command({
  summary: 'Deletes a secret; it cannot be restored.',
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name or id of the secret.' }],
  examples: { 'secret delete api-token': 'Deletes a secret; prompts for its name.' },
  run: async ({ arguments: { name: word }, output, terminal, service }) => {
    const { client, common, submit } = await service();
    const { id, name } = await findSecret(client, word);
    await confirm(terminal, common, {
      warning: `The secret ${name} is deleted; without a copy its text is lost.`,
      type: name,
    });
    const result = await submit('delete_secrets', { secretIds: [id] });
    if (result === undefined) return;
    output.thing({ Deleted: name, ID: id }, { document: result, ids: [id] });
  },
});
