import { command } from '../../command.ts';
import { profileNamed, readProfiles, writeProfiles } from '../../profiles.ts';

export default command({
  words: 'profile use',
  summary: 'Makes a profile the current one.',
  reach: 'local',
  arguments: [{ name: 'profile', summary: 'Its name.' }],
  examples: [{ type: 'profile use ops', does: 'Commands without --profile use it from now on.' }],
  run: async ({ arguments: { profile: name }, output, terminal }) => {
    const { profiles } = await readProfiles(terminal);
    profileNamed(name, profiles);
    await writeProfiles(terminal, { current: name, profiles });
    output.thing({ Current: name }, { document: { current: name }, ids: [name] });
  },
});
