import { command } from '../../command_line/command.ts';
import {
  fromOption,
  passphraseFileOption,
  readSecret,
  sealForImport,
} from '../../transfers/imports.ts';
import { usage } from '../../words/failures.ts';
import { repeatable } from '../../words/options.ts';

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1' as const;

export default command({
  summary: 'Imports a text as a secret, unchanged.',
  reach: 'submits',
  arguments: [{ name: 'name', summary: 'Name of the new secret.' }],
  options: {
    from: fromOption,
    'passphrase-file': passphraseFileOption,
    property: repeatable(
      'KEY=VALUE',
      'Property of the secret that policies can read; it is not secret itself.',
    ),
  },
  examples: {
    'import secret api-token --from token.txt': 'Imports the text of a file.',
    'import secret api-token --from - --property env=production':
      'Reads the standard input, and sets a property that policies can read.',
  },
  run: async ({ arguments: { name }, options, output, terminal, service }) => {
    const staticProperties = options.property.map(propertyOf);
    const bytes = await readSecret(options, 'secret', terminal, output);
    const connected = await service();
    const { submit } = connected;
    const begin = async () => {
      const begun = await submit('init_import_secrets', { encryptionSuite, numSecrets: 1 });
      return begun?.enclaveTargetMessages[0];
    };
    const call = { connected, terminal, output };
    const sealed = await sealForImport(call, bytes, begin, { targetOf: 'organization' });
    bytes.fill(0);
    if (sealed === undefined) return;
    const { target, encryptedBundle: secretPayload } = sealed;
    const targetPublicKey = targetOf(target);
    const result = await submit('import_secrets', {
      secrets: [{ name, secretPayload, targetPublicKey, encryptionSuite, staticProperties }],
    });
    if (result === undefined) return;
    const [secretId = ''] = result.secretIds;
    output.thing({ Secret: name, ID: secretId }, { document: result, ids: [secretId] });
  },
});

/** Returns the target key of a bundle. The caller has verified the bundle when it sealed the text. */
function targetOf(target: string): string {
  const { data } = JSON.parse(target);
  return String(JSON.parse(Buffer.from(data, 'hex').toString('utf8')).targetPublic);
}

function propertyOf(text: string): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`--property ${text} is not KEY=VALUE`);
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}
