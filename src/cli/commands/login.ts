import { rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { apiKey, connect, NeedsVotes } from '../../client/index.ts';
import { command } from '../command.ts';
import { usage } from '../failures.ts';
import { makePrivateDirectoryOf, writePrivateFile } from '../files.ts';
import { apiKeyOf, newKey } from '../new_key.ts';
import {
  checkedName,
  keyFileOf,
  readKeyFile,
  readProfiles,
  wayWith,
  writeProfiles,
} from '../profiles.ts';

const usualProfile = 'default';
const usualLifetime = '30d';

export default command({
  words: 'login',
  summary: 'Makes a key on this machine, has it registered with another key, and keeps a profile.',
  // Where it goes stands in the file; the flags of a profile would contradict it.
  reach: 'local',
  options: {
    with: { kind: 'text', value: 'FILE', summary: 'Key file to register the new key with.' },
    profile: { kind: 'text', value: 'NAME', summary: `Profile to keep it in; ${usualProfile}.` },
    url: { kind: 'text', value: 'URL', summary: 'Address of the service, if the file has none.' },
    organization: { kind: 'text', value: 'ID', summary: 'Organization, if the file has none.' },
    expires: {
      kind: 'text',
      value: 'DURATION',
      summary: `Lifetime of the new key; ${usualLifetime}.`,
    },
  },
  examples: [
    {
      type: 'login --with data/root-credentials.json',
      does: 'Keeps a key of 30 days; the file can be put away then.',
    },
    { type: 'login --with ops.json --profile ops --expires 8h', does: 'Keeps another profile.' },
  ],
  run: async ({ options, output, terminal }) => {
    if (options.with === undefined) {
      throw usage('login needs a key file: --with FILE', 'keywright login --help');
    }
    const name = checkedName(options.profile ?? usualProfile);
    const way = wayWith(
      await readKeyFile(options.with),
      options.with,
      options.url,
      options.organization,
    );
    const { url, organizationId } = way;
    const client = connect({ url, organizationId, stamp: await apiKey(await way.key()) });
    const who = await client.query('whoami');

    const key = await newKey();
    const { profiles } = await readProfiles(terminal);
    const file = keyFileOf(terminal, name);
    const fresh = `${file}.new`;
    await makePrivateDirectoryOf(fresh);
    await rm(fresh, { force: true });
    const content = { ...key, baseUrl: url, organizationId, userId: who.userId };
    await writePrivateFile(fresh, new TextEncoder().encode(`${JSON.stringify(content)}\n`));
    const keep = async () => {
      await rename(fresh, file);
      const profile = { url, organizationId, userName: who.username };
      await writeProfiles(terminal, { current: name, profiles: { ...profiles, [name]: profile } });
    };
    const lifetime = options.expires ?? usualLifetime;
    const apiKeys = [apiKeyOf(key.apiPublicKey, `keywright on ${hostname()}`, lifetime)];
    try {
      await client.submit('create_api_keys', { userId: who.userId, apiKeys });
    } catch (error) {
      // A key that waits is good once it is approved; it takes the place of no key that works.
      if (error instanceof NeedsVotes && !Object.hasOwn(profiles, name)) await keep();
      else await rm(fresh, { force: true });
      throw error;
    }
    await keep();
    output.thing(
      {
        Profile: name,
        User: who.username,
        Organization: who.organizationName,
        Service: url,
        Key: file,
      },
      { document: { profile: name, ...who, url, keyFile: file }, ids: [name] },
    );
    output.note(`Put ${options.with} away: this machine does not need it any more.`);
  },
});
