import { command } from '../../command_line/command.ts';
import { changeProfiles, profileNamed } from '../../profiles/profiles.ts';

export default command({
  summary: 'Selects the current profile.',
  reach: 'local',
  arguments: [{ name: 'profile', summary: 'Its name.' }],
  examples: { 'profile use ops': 'Commands without --profile use it from now on.' },
  run: async ({ arguments: { profile: name }, output, terminal }) => {
    await changeProfiles(terminal, ({ profiles }) => {
      profileNamed(name, profiles);
      return { current: name, profiles };
    });
    output.thing({ Current: name }, { document: { current: name }, ids: [name] });
  },
});
