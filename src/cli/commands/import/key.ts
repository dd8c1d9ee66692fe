import type { Submits } from '../../../client/generated/operations.ts';
import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import type { ForeignKey } from '../../signing/key_forms.ts';
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
  summary:
    'Imports a private key from hex digits, a file of export key, a Solana key pair or a Bitcoin WIF key.',
  // The command asks for confirmation before it imports a key in another tool's format.
  reach: 'destroys',
  arguments: [{ name: 'name', summary: 'Name of the new private key.' }],
  options: { from: fromOption, 'passphrase-file': passphraseFileOption, ...keyOptions },
  examples: {
    'import key deploy --from deploy.json': 'Imports a file of export key.',
    'import key relay --from - --kind solana': 'Reads hex from the standard input.',
    'import key payer --from id.json': 'Imports a key that solana-keygen wrote.',
  },
  run: async ({ arguments: { name }, options, output, terminal, service }) => {
    const { kind, curve } = options;
    const bytes = await readSecret(options, 'key', terminal, output);
    const document = exportedDocument(bytes, 'key');
    const text = document === undefined ? new TextDecoder().decode(bytes).trim() : '';
    const { foreignKey } = await import('../../signing/key_forms.ts');
    const foreign = foreignKey(text);
    const isAsked = kind.length > 0 || curve !== undefined;
    if (document !== undefined && isAsked) {
      throw usage('the file defines the kind of the key: omit --kind and --curve');
    }
    if (foreign !== undefined) requireKindOf(foreign, options);
    const ofForm = foreign === undefined ? options : { ...options, kind: [foreign.kind] };
    const parameters = document === undefined ? keyParameters(ofForm) : parametersIn(document);
    const secret = foreign?.secret ?? keyBytes(document?.['privateKey'] ?? text);
    bytes.fill(0);
    const connected = await service();
    const { submit, common } = connected;
    if (foreign !== undefined) {
      const { form, kind: chain, address } = foreign;
      const warning = `The key is ${form}. Its ${chain} address is ${address}.`;
      await confirm(terminal, common, { warning, type: name });
    }
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

/** Returns the curve and the address formats in a file. The service checks them. */
function parametersIn({ curve, addresses }: Readonly<Record<string, unknown>>) {
  const rows = Array.isArray(addresses) ? addresses : [];
  return {
    curve: curve as Parameters['curve'],
    addressFormats: rows.map((row) => row?.format) as Parameters['addressFormats'],
  };
}

/** Throws `usage` if the options contradict the format of the key. */
function requireKindOf(
  { form, kind: chain }: ForeignKey,
  { kind, curve }: { readonly kind: readonly string[]; readonly curve: string | undefined },
): void {
  const isOther = kind.some((each) => each.toLowerCase() !== chain) || curve !== undefined;
  if (isOther) throw usage(`the key is ${form}, for ${chain}, so omit --kind and --curve`);
}

/** Decodes a key of 32 bytes in hex. The error contains no part of the text. */
function keyBytes(digits: unknown): Uint8Array<ArrayBuffer> {
  const isHex = typeof digits === 'string' && /^(0x)?[0-9a-f]{64}$/i.test(digits);
  if (isHex) return Uint8Array.from(Buffer.from(digits.replace(/^0x/, ''), 'hex'));
  throw usage(
    'the file has no private key: expected 64 hex digits, a file of export key, a Solana key pair or WIF',
  );
}
