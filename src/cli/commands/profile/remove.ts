import { rm } from 'node:fs/promises';
import { command } from '../../command.ts';
import { keyFileOf, profileNamed, readProfiles, writeProfiles } from '../../profiles.ts';

export default command({
  words: 'profile remove',
  summary: 'Removes a profile and its key from this machine; the service is not asked.',
  reach: 'local',
  arguments: [{ name: 'profile', summary: 'Its name.' }],
  examples: [
    { type: 'profile remove ops', does: 'Forgets the profile; logout also deletes its key.' },
  ],
  run: async ({ arguments: { profile: name }, output, terminal }) => {
    const { current, profiles } = await readProfiles(terminal);
    profileNamed(name, profiles);
    const { [name]: _removed, ...others } = profiles;
    await writeProfiles(terminal, {
      ...(current === undefined || current === name ? {} : { current }),
      profiles: others,
    });
    await rm(keyFileOf(terminal, name), { force: true });
    output.thing({ Removed: name }, { document: { profile: name }, ids: [name] });
  },
});
