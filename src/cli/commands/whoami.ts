import { command } from '../command_line/command.ts';

export default command({
  summary: 'Shows the user and the organization of the key.',
  reach: 'reads',
  examples: { whoami: 'Prints the user and the organization.' },
  run: async ({ output, service }) => {
    const { client, login } = await service();
    const who = await client.query('whoami');
    output.thing(
      {
        User: who.username,
        'User ID': who.userId,
        Organization: who.organizationName,
        'Organization ID': who.organizationId,
        Service: login.url,
        Key: login.keySource,
      },
      { document: who, ids: [who.userId] },
    );
  },
});
