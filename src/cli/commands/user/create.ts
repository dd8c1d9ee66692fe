import { command } from '../../command_line/command.ts';
import { checkSealsKey, newPassphraseOptions } from '../../keys/new_passphrase.ts';
import { findTags } from '../../service/find.ts';
import { apiKeyOf, lifetimeSeconds, withKeyFile } from '../../service/new_key.ts';
import { option, repeatable } from '../../words/options.ts';

export default command({
  summary: 'Creates a user; with --key-file also an API key that is made on this machine.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the user.' }],
  options: {
    email: option('ADDRESS', 'E-mail address of the user.'),
    phone: option('NUMBER', 'Telephone number, such as +15555550123.'),
    tag: repeatable('TAG', 'Name or id of a tag of the user.'),
    'key-file': option(
      'FILE',
      'Creates a key on this machine and writes it to this file, readable only by its owner.',
    ),
    ...newPassphraseOptions,
    expires: option('DURATION', 'Lifetime of that key. Default: it does not expire.'),
  },
  examples: {
    'user create dave --key-file dave.json': 'Creates a user with a key in a file.',
    'user create erin --email erin@example.com --key-file erin.json':
      'Creates a user with an e-mail address and a key in a file.',
  },
  run: async ({ arguments: { name }, options, output, service, terminal }) => {
    checkSealsKey(options, options['key-file']);
    const lifetime = lifetimeSeconds(options.expires);
    const connected = await service();
    const { client, submit } = connected;
    const userTags = await findTags(client, options.tag);
    const { email, phone, 'key-file': file } = options;
    // Create no key file if the service does not answer.
    if (file !== undefined) await client.query('whoami');
    const create = (apiKeys: readonly ReturnType<typeof apiKeyOf>[]) => {
      const contacts = {
        ...(email === undefined ? {} : { userEmail: email }),
        ...(phone === undefined ? {} : { userPhoneNumber: phone }),
      };
      const none = { authenticators: [], oauthProviders: [] };
      return submit('create_users', {
        users: [{ userName: name, ...contacts, apiKeys, ...none, userTags }],
      });
    };
    const result =
      file === undefined
        ? await create([])
        : await withKeyFile(file, { ...connected, seal: options, terminal }, (publicKey) =>
            create([apiKeyOf(publicKey, `Key of ${name}`, lifetime)]),
          );
    if (result === undefined) return;
    const [userId] = result.userIds;
    output.thing(
      { User: name, ID: userId, Key: file },
      { document: { ...result, keyFile: file }, ids: result.userIds },
    );
  },
});
