import { command } from '../../command_line/command.ts';
import { readProfiles } from '../../profiles/profiles.ts';

export default command({
  summary: 'Lists the profiles that login stored on this machine.',
  reach: 'local',
  examples: { 'profile list': 'Prints them; the current one is marked.' },
  run: async ({ output, terminal }) => {
    const { current, profiles } = await readProfiles(terminal);
    const entries = Object.entries(profiles);
    output.list(
      entries.map(([name, { url, organizationId, userName }]) => ({
        Profile: name,
        Current: name === current ? 'yes' : '',
        User: userName,
        Service: url,
        Organization: organizationId,
      })),
      {
        document: { current, profiles },
        ids: entries.map(([name]) => name),
        empty: 'No profiles yet: keywright login --with FILE',
      },
    );
  },
});
