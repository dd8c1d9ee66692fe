import { resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import { Failure, usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

const usualUrl = 'http://localhost:8080';

export default command({
  summary: 'Sends one share of the root key, sealed to the enclave, to a waiting service.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'file', summary: 'Your sealed share from root-key init or root-key split.' }],
  options: {
    identity: option('FILE', 'File of your age identity.'),
    url: option('URL', `Address of the service; ${usualUrl} if absent.`),
    'sources-digest': option(
      'HEX',
      'Expected digest of the enclave program. Default: the digest of this program.',
    ),
  },
  examples: {
    'unseal share share-1.age --identity identity.txt --url https://keys.example.com':
      'Compares the program of the enclave with this one, and sends the share.',
  },
  run: async ({ arguments: { file }, options, output, terminal }) => {
    const { identity, url = usualUrl, 'sources-digest': digest } = options;
    if (identity === undefined) throw usage('--identity needs a file');
    if (!URL.canParse(url)) throw usage(`--url ${url} is no address`);
    const { unsealByShare } = await import('../../custody/unseal_by_share.ts');
    const { given, threshold, failure, statement } = await unsealByShare({
      share: resolve(terminal.workingDirectory, file),
      identity: resolve(terminal.workingDirectory, identity),
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
