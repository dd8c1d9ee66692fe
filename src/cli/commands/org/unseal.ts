import { command } from '../../command_line/command.ts';
import { passphraseFileOption, unsealingSecret } from '../../keys/holder_secrets.ts';
import { holderNamed, organizationKeyOf } from '../../service/organization_key.ts';
import { Failure } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary:
    'Unseals the organization in the answering enclave, with the passphrase or passkey of a holder.',
  reach: 'submits',
  options: {
    holder: option(
      'NAME',
      'Name or id of the holder. Default: the only holder, or the only passphrase holder.',
    ),
    'passphrase-file': passphraseFileOption,
  },
  examples: {
    'org unseal': 'Asks for the passphrase or passkey, and unseals the organization.',
    'org unseal --holder treasurer --passphrase-file passphrase.txt':
      'Reads the passphrase of one of several holders from a file.',
  },
  run: async ({ options, output, terminal, service }) => {
    const { client, submit } = await service();
    const key = await organizationKeyOf(client);
    const holder = holderNamed(key, options.holder);
    const { holderId, holderName } = holder;
    const file = options['passphrase-file'];
    const encryptedSecret = await unsealingSecret({ client, key }, holder, file, terminal);
    const result = await submit('unseal_organization', { holderId, encryptedSecret });
    if (result === undefined) return;
    const { isSealed } = await client.query('get_organization_key');
    if (isSealed) throw stillSealed;
    output.thing(
      { Organization: 'unsealed', Holder: holderName },
      { document: result, ids: [client.organizationId] },
    );
  },
});

/** Another enclave answered, or the organization was sealed again. */
const stillSealed = new Failure({
  exit: 'refused',
  code: 'still_sealed',
  message: 'The secret was accepted, but the enclave that answers now is still sealed.',
  next: 'Repeat the command. With several nodes, repeat it with the address of each node.',
});
