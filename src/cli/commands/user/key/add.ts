import { command } from '../../../command_line/command.ts';
import { checkSealsKey, newPassphraseOptions } from '../../../keys/new_passphrase.ts';
import { findUser } from '../../../service/find.ts';
import { apiKeyOf, lifetimeSeconds, withKeyFile } from '../../../service/new_key.ts';
import { usage } from '../../../words/failures.ts';
import { option } from '../../../words/options.ts';

export default command({
  summary: 'Creates an API key of a user, from a public key or with a new key of this machine.',
  reach: 'submits',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  options: {
    'key-file': option('FILE', 'Creates a key here and writes it to this file.'),
    'public-key': option('HEX', 'Public key (P-256, compressed) of an existing key.'),
    name: option('NAME', 'Name of the key.'),
    ...newPassphraseOptions,
    expires: option('DURATION', 'Lifetime of the key. Default: it does not expire.'),
  },
  examples: {
    'user key add alice --key-file alice2.json --expires 90d': 'Makes a key of 90 days.',
  },
  run: async ({ arguments: { user: word }, options, output, service, terminal }) => {
    const { 'key-file': file, 'public-key': elsewhere, name } = options;
    if ((file === undefined) === (elsewhere === undefined)) {
      throw usage('user key add needs one of --key-file and --public-key');
    }
    checkSealsKey(options, options['key-file']);
    const lifetime = lifetimeSeconds(options.expires);
    const connected = await service();
    const { client, submit } = connected;
    const { userId, userName } = await findUser(client, word);
    const add = (publicKey: string) => {
      const apiKeys = [apiKeyOf(publicKey, name ?? `Key of ${userName}`, lifetime)];
      return submit('create_api_keys', { userId, apiKeys });
    };
    const result =
      file === undefined
        ? await add(elsewhere ?? '')
        : await withKeyFile(file, { ...connected, seal: options, terminal }, add);
    if (result === undefined) return;
    output.thing(
      { User: userName, 'API key': result.apiKeyIds[0], Key: file },
      { document: { ...result, keyFile: file }, ids: result.apiKeyIds },
    );
  },
});
