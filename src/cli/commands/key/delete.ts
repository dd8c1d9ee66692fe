import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findKey } from '../../service/find.ts';
import { requireExported, withoutExportOption } from '../../transfers/exported.ts';

export default command({
  summary: 'Deletes a private key; it cannot be restored.',
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name or id of the private key.' }],
  options: { 'without-export': withoutExportOption },
  examples: {
    'key delete deploy': 'Deletes a key that was exported; prompts for its name.',
    'key delete deploy --without-export': 'Deletes the key even if it was never exported.',
  },
  run: async ({ arguments: { name: word }, options, output, terminal, service }) => {
    const deleteWithoutExport = options['without-export'];
    const { client, common, submit } = await service();
    const { id, name, exported } = await findKey(client, word);
    requireExported('key', { name, exported }, deleteWithoutExport);
    await confirm(terminal, common, {
      warning: exported
        ? `The private key ${name} is deleted here; only its exported copy brings it back.`
        : `The private key ${name} is deleted, and everything that its addresses hold is lost for good.`,
      type: name,
    });
    const parameters = { privateKeyIds: [id], deleteWithoutExport };
    const result = await submit('delete_private_keys', parameters);
    if (result === undefined) return;
    output.thing({ Deleted: name, ID: id }, { document: result, ids: [id] });
  },
});
