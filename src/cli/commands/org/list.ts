import { command } from '../../command_line/command.ts';
import { option } from '../../words/options.ts';
import { allRows } from '../../words/rows.ts';

export default command({
  summary: 'Lists the sub-organizations, oldest first.',
  reach: 'reads',
  options: {
    name: option('NAME', 'Only sub-organizations with this name.'),
    email: option('ADDRESS', 'Only sub-organizations with a user of this e-mail address.'),
  },
  examples: { 'org list': 'Prints the ids of all sub-organizations.' },
  run: async ({ options: { name, email }, output, service }) => {
    const { client } = await service();
    const filter =
      name !== undefined
        ? ({ filterType: 'NAME', filterValue: name } as const)
        : email !== undefined
          ? ({ filterType: 'EMAIL', filterValue: email } as const)
          : {};
    const organizationIds = await allRows(client.pages('list_suborgs', filter));
    output.list(
      organizationIds.map((id) => ({ ID: id })),
      { document: { organizationIds }, ids: organizationIds, empty: 'No sub-organizations.' },
    );
  },
});
