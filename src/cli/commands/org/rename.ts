import { command } from '../../command_line/command.ts';

export default command({
  summary: 'Renames the organization.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Its new name.' }],
  examples: { "org rename 'Example Ltd'": 'Renames it.' },
  run: async ({ arguments: { name }, output, service }) => {
    const { client, submit } = await service();
    const result = await submit('update_organization_name', { organizationName: name });
    const id = client.organizationId;
    if (result !== undefined)
      output.thing({ Organization: name, ID: id }, { document: result, ids: [id] });
  },
});
