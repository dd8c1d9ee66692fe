import { command } from '../../command_line/command.ts';
import { rootQuorum } from '../../service/root_quorum.ts';

export default command({
  summary: 'Shows the organization: its root quorum and its features.',
  reach: 'reads',
  examples: { 'org show': 'Prints name, quorum and features.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const who = await client.query('whoami');
    const { configs, members } = await rootQuorum(client);
    output.thing(
      {
        Organization: who.organizationName,
        ID: client.organizationId,
        'Root quorum': `${configs.quorum.threshold} of ${members}`,
        ...Object.fromEntries(
          configs.features.map(({ name, value }) => [
            name.replace('FEATURE_NAME_', ''),
            value ?? 'on',
          ]),
        ),
      },
      {
        document: { organizationId: client.organizationId, configs },
        ids: [client.organizationId],
      },
    );
  },
});
