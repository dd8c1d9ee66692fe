import { resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import { Failure, usage } from '../../words/failures.ts';
import { flag, option } from '../../words/options.ts';

const usualUrl = 'http://localhost:8080';

export default command({
  summary: 'Sends one share of the root key, sealed to the enclave, to a waiting service.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'file', summary: 'Your sealed share from root-key init or root-key split.' }],
  options: {
    identity: option('FILE', 'File of your age identity.'),
    passkey: flag('Uses your passkey from root-key passkey in a browser, instead of an identity.'),
    url: option('URL', `Address of the service. Default: ${usualUrl}.`),
    'sources-digest': option(
      'HEX',
      'Expected digest of the enclave program. Default: the digest of this program.',
    ),
  },
  examples: {
    'unseal share share-1.age --identity identity.txt --url https://keys.example.com':
      'Compares the program of the enclave with this package, and sends the share.',
    'unseal share share-1.age --passkey --url https://keys.example.com':
      'Opens the share with a passkey in a browser on this machine.',
  },
  run: async ({ arguments: { file }, options, output, terminal }) => {
    const { identity, passkey, url = usualUrl, 'sources-digest': digest } = options;
    if ((identity === undefined) !== passkey) throw usage('give one of --identity and --passkey');
    if (!URL.canParse(url)) throw usage(`--url ${url} is not an address`);
    const { passkeyIdentities } = await import('../../custody/operator_passkeys.ts');
    const { unsealByShare } = await import('../../custody/unseal_by_share.ts');
    const { given, threshold, failure, statement } = await unsealByShare({
      share: resolve(terminal.workingDirectory, file),
      identities: async () =>
        identity === undefined
          ? await passkeyIdentities(1, terminal)
          : resolve(terminal.workingDirectory, identity),
      url: new URL('/unseal', url),
      sourcesDigest: digest,
    });
    if (failure !== undefined) {
      throw new Failure({ exit: 'refused', code: 'still_sealed', message: failure });
    }
    const { version, sourcesDigest, ephemeralPublicKeyHex } = statement;
    output.thing(
      {
        Service: given < threshold ? 'sealed' : 'open',
        Shares: `${given} of ${threshold}`,
        Program: `${version}, sources ${sourcesDigest}`,
        Key: ephemeralPublicKeyHex,
      },
      { document: { given, threshold, ...statement }, ids: [] },
    );
  },
});
