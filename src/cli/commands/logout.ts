import { rm } from 'node:fs/promises';
import { command } from '../command_line/command.ts';
import { forgetProfile, keyFileOf, profileNamed, readProfiles } from '../profiles/profiles.ts';
import { usage } from '../words/failures.ts';
import { flag } from '../words/options.ts';

export default command({
  summary: 'Deletes the key of the profile at the service and on this machine, and its profile.',
  reach: 'submits',
  options: {
    keep: flag('Leaves the key registered, for a service that does not answer.'),
  },
  examples: {
    logout: 'Ends the current profile.',
    'logout --profile ops --keep': 'Deletes a profile on this machine only, without a request.',
  },
  run: async ({ options: { keep }, output, terminal, common, service }) => {
    const kept = await readProfiles(terminal);
    const name = common.profile ?? terminal.environment['KEYWRIGHT_PROFILE'] ?? kept.current;
    if (name === undefined) throw usage('there is no profile to end', 'keywright profile list');
    const { keyCommand } = profileNamed(name, kept.profiles);
    if (!keep) {
      const { client, login, submit } = await service();
      const { apiPublicKey } = await login.key();
      const { userId } = await client.query('whoami');
      const { apiKeys } = await client.query('get_api_keys', { userId });
      const own = apiKeys.find(({ credential }) => credential.publicKey === apiPublicKey);
      if (own !== undefined) {
        const done = await submit('delete_api_keys', { userId, apiKeyIds: [own.apiKeyId] });
        if (done === undefined) return;
      }
    }
    await forgetProfile(terminal, name);
    if (keyCommand === undefined) await rm(keyFileOf(terminal, name), { force: true });
    output.thing({ Ended: name }, { document: { profile: name }, ids: [name] });
  },
});
