import type { Submits } from '../../../client/operations.ts';
import { command } from '../../command_line/command.ts';
import {
  exportedDocument,
  fromOption,
  passphraseFileOption,
  readSecret,
  sealForImport,
} from '../../transfers/imports.ts';
import { usage } from '../../words/failures.ts';
import { keyOptions, keyParameters } from '../../words/key_kinds.ts';

type Parameters = Submits['import_private_key']['parameters'];

export default command({
  words: 'import key',
  summary: 'Imports a private key from hex digits, or from a file of export key.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the new private key.' }],
  options: { from: fromOption, 'passphrase-file': passphraseFileOption, ...keyOptions },
  examples: [
    { type: 'import key deploy --from deploy.json', does: 'Imports what export key wrote.' },
    { type: 'import key relay --from - --kind solana', does: 'Reads hex from the standard input.' },
  ],
  run: async ({ arguments: { name }, options, output, terminal, service }) => {
    const { kind, curve } = options;
    const bytes = await readSecret(options, 'key', terminal, output);
    const document = exportedDocument(bytes, 'key');
    const isAsked = kind.length > 0 || curve !== undefined;
    if (document !== undefined && isAsked) {
      throw usage('the file says what the key is for: leave out --kind and --curve');
    }
    const parameters = document === undefined ? keyParameters(options) : parametersIn(document);
    const secret = keyBytes(document?.['privateKey'] ?? new TextDecoder().decode(bytes).trim());
    bytes.fill(0);
    const connected = await service();
    const { submit } = connected;
    const sealed = await sealForImport(
      { connected, terminal, output },
      secret,
      async (userId) => (await submit('init_import_private_key', { userId }))?.importBundle,
      { targetOf: 'user' },
    );
    secret.fill(0);
    if (sealed === undefined) return;
    const { userId, encryptedBundle } = sealed;
    const result = await submit('import_private_key', {
      userId,
      privateKeyName: name,
      encryptedBundle,
      ...parameters,
    });
    if (result === undefined) return;
    const { privateKeyId, addresses } = result;
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

/** Curve and formats that a file says; the service checks them. */
function parametersIn({ curve, addresses }: Readonly<Record<string, unknown>>) {
  const rows = Array.isArray(addresses) ? addresses : [];
  return {
    curve: curve as Parameters['curve'],
    addressFormats: rows.map((row) => row?.format) as Parameters['addressFormats'],
  };
}

/** The 32 bytes of hex digits; what is wrong is not said with a piece of them. */
function keyBytes(digits: unknown): Uint8Array<ArrayBuffer> {
  const isHex = typeof digits === 'string' && /^(0x)?[0-9a-f]{64}$/i.test(digits);
  if (isHex) return Uint8Array.from(Buffer.from(digits.replace(/^0x/, ''), 'hex'));
  throw usage('the file holds no private key: expected 64 hex digits, or what export key writes');
}
