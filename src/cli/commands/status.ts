import { command } from '../command_line/command.ts';
import { probe } from '../doctor/probe.ts';

export default command({
  summary: 'Shows where commands go, as whom, and whether the service is ready.',
  reach: 'reads',
  examples: { status: 'Prints the profile, the service and the user.' },
  run: async ({ output, service, terminal }) => {
    const { client, login } = await service();
    const ready = await probe(login.url, '/health/ready', terminal);
    const who = await client.query('whoami');
    const { activities } = await client.query('list_activities', {
      filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
      paginationOptions: { limit: '100' },
    });
    const waiting = activities.length === 100 ? '100 or more' : String(activities.length);
    output.thing(
      {
        Profile: login.profileName ?? '(none)',
        Service: login.url,
        Ready: ready.status === 200 ? 'yes' : `no (${ready.status})`,
        User: who.username,
        Organization: who.organizationName,
        'Organization ID': who.organizationId,
        Key: login.keySource,
        'Waiting activities': waiting,
      },
      {
        document: {
          profile: login.profileName,
          url: login.url,
          ready: ready.status === 200,
          ...who,
          waiting,
        },
        ids: [who.userId],
      },
    );
  },
});
