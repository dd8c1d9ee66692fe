import { command } from '../../command_line/command.ts';
import { quoted } from '../../files/files.ts';
import { apiKeyOf } from '../../service/new_key.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Creates a sub-organization with one root user, whose public key is given.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the sub-organization.' }],
  options: {
    'root-user': option('NAME', 'Name of its root user. Default: root.'),
    'public-key': option(
      'HEX',
      'Public key (P-256, compressed) of the root user. Default: the key of this profile.',
    ),
  },
  examples: {
    'org create customer-1': 'Creates a sub-organization whose root user signs with the same key.',
  },
  run: async ({ arguments: { name }, options, output, service }) => {
    const { login, submit } = await service();
    const userName = options['root-user'] ?? 'root';
    const publicKey = options['public-key'] ?? (await login.key()).apiPublicKey;
    const result = await submit('create_sub_organization', {
      subOrganizationName: name,
      rootUsers: [
        {
          userName,
          apiKeys: [apiKeyOf(publicKey, `Key of ${userName}`, undefined)],
          authenticators: [],
          oauthProviders: [],
        },
      ],
      rootQuorumThreshold: 1,
    });
    if (result === undefined) return;
    const id = result.subOrganizationId;
    output.thing({ Organization: name, ID: id }, { document: result, ids: [id] });
    output.note(`Act in it with --organization ${quoted(id)}`);
  },
});
