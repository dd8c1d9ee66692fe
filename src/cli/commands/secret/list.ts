import { command } from '../../command_line/command.ts';
import { secretsOf } from '../../service/find.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Lists the secrets of the organization, oldest first, without their texts.',
  reach: 'reads',
  examples: {
    'secret list': 'Prints a table of secrets.',
    'secret list --quiet': 'Prints their ids, a line each.',
  },
  run: async ({ output, service }) => {
    const { client } = await service();
    const secrets = await secretsOf(client);
    output.list(
      secrets.map(({ name, secretId, createdAtUnixMs, staticProperties }) => ({
        Name: name,
        ID: secretId,
        Created: timeText(new Date(Number(createdAtUnixMs)).toISOString()),
        Properties: staticProperties.map(({ key, value }) => `${key}=${value}`).join(' '),
      })),
      {
        document: { secrets },
        ids: secrets.map(({ secretId }) => secretId),
        empty: 'No secrets yet: keywright import secret NAME --from FILE',
      },
    );
  },
});
