import { rm } from 'node:fs/promises';
import { command } from '../../command_line/command.ts';
import { forgetProfile, keyFileOf, profileNamed, readProfiles } from '../../profiles/profiles.ts';

export default command({
  summary: 'Removes a profile and its key from this machine, without a request to the service.',
  reach: 'local',
  arguments: [{ name: 'profile', summary: 'Its name.' }],
  examples: {
    'profile remove ops': 'Forgets the profile; logout also deletes its key.',
  },
  run: async ({ arguments: { profile: name }, output, terminal }) => {
    const kept = await readProfiles(terminal);
    profileNamed(name, kept.profiles);
    await forgetProfile(terminal, name);
    await rm(keyFileOf(terminal, name), { force: true });
    output.thing({ Removed: name }, { document: { profile: name }, ids: [name] });
  },
});
