import { command } from '../../command_line/command.ts';
import { keyOptions, keyParameters } from '../../words/key_kinds.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Creates a random private key, or registers a private key of a key holder.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the private key.' }],
  options: {
    ...keyOptions,
    external: option(
      'PUBLICKEY',
      'Public key in hex of an external key; see docs/external-keys.md.',
    ),
  },
  examples: {
    'key create deploy': 'Creates a key with an Ethereum address.',
    'key create relay --kind solana': 'Creates an Ed25519 key for Solana.',
    'key create tokens --curve p256': 'Creates a key without addresses.',
    'key create treasury --external 04…': 'Registers a key in a hardware module.',
  },
  run: async ({ arguments: { name }, options, output, service }) => {
    const { external, ...kinds } = options;
    const parameters = {
      ...keyParameters(kinds),
      ...(external === undefined ? {} : { externalSignerPubkey: external }),
    };
    const { submit } = await service();
    const result = await submit('create_private_keys', {
      privateKeys: [{ privateKeyName: name, privateKeyTags: [], ...parameters }],
    });
    if (result === undefined) return;
    const [{ privateKeyId = '', addresses = [] } = {}] = result.privateKeys;
    output.thing(
      {
        'Private key': name,
        ID: privateKeyId,
        Addresses: addresses.map(({ address }) => address).join(' ') || undefined,
      },
      { document: result, ids: [privateKeyId] },
    );
  },
});
