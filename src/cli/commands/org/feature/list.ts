import { command } from '../../../command_line/command.ts';

export default command({
  summary: 'Lists the features that are switched on.',
  reach: 'reads',
  examples: { 'org feature list': 'Prints their names and values.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const { features } = (await client.query('get_organization_configs')).configs;
    output.list(
      features.map(({ name, value }) => ({ Feature: name, Value: value })),
      { document: { features }, ids: features.map(({ name }) => name), empty: 'No features.' },
    );
  },
});
