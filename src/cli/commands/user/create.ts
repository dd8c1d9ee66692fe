import { rm } from 'node:fs/promises';
import { isSurelyNotDone } from '../../client_failures.ts';
import { command } from '../../command.ts';
import { writePrivateFile } from '../../files.ts';
import { findTags } from '../../find.ts';
import { apiKeyOf, newKey } from '../../new_key.ts';

export default command({
  words: 'user create',
  summary: 'Creates a user; with --key-file also an API key that is made on this machine.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the user.' }],
  options: {
    email: { kind: 'text', value: 'ADDRESS', summary: 'E-mail address of the user.' },
    phone: { kind: 'text', value: 'NUMBER', summary: 'Telephone number, such as +15555550123.' },
    tag: { kind: 'texts', value: 'TAG', summary: 'Name or id of a tag of the user.' },
    'key-file': {
      kind: 'text',
      value: 'FILE',
      summary: 'Makes a key here and writes it to this file, for its owner alone.',
    },
    expires: {
      kind: 'text',
      value: 'DURATION',
      summary: 'Lifetime of that key; without end if absent.',
    },
  },
  examples: [
    { type: 'user create dave --key-file dave.json', does: 'Creates a user with a key in a file.' },
    {
      type: 'user create erin --email erin@example.com',
      does: 'Creates one who logs in by a code.',
    },
  ],
  run: async ({ arguments: { name }, options, output, common, service }) => {
    const { client, way, submit } = await service();
    const userTags = await findTags(client, options.tag);
    const file = options['key-file'];
    const key = file === undefined ? undefined : await newKey();
    // A dry run and a request that is printed make no key that anybody will use.
    const isReal = !common['dry-run'] && !common.curl;
    if (file !== undefined && key !== undefined && isReal) {
      const { url: baseUrl, organizationId } = way;
      const content = `${JSON.stringify({ baseUrl, organizationId, ...key }, undefined, 2)}\n`;
      await writePrivateFile(file, new TextEncoder().encode(content));
    }
    try {
      const result = await submit('create_users', {
        users: [
          {
            userName: name,
            ...(options.email === undefined ? {} : { userEmail: options.email }),
            ...(options.phone === undefined ? {} : { userPhoneNumber: options.phone }),
            apiKeys:
              key === undefined
                ? []
                : [apiKeyOf(key.apiPublicKey, `Key of ${name}`, options.expires)],
            authenticators: [],
            oauthProviders: [],
            userTags,
          },
        ],
      });
      if (result === undefined) return;
      const [userId] = result.userIds;
      output.thing(
        { User: name, ID: userId, Key: file },
        { document: { ...result, keyFile: file }, ids: result.userIds },
      );
    } catch (error) {
      // What waits for approval, or was not answered, may still make the user of this key.
      if (file !== undefined && isReal && isSurelyNotDone(error)) await rm(file, { force: true });
      throw error;
    }
  },
});
