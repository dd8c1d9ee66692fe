import { sealHolderSecret } from '../../../client/key_holders.ts';
import { command } from '../../command_line/command.ts';
import { holderSecret, passphraseFileOption } from '../../keys/holder_secrets.ts';
import { holderNamed, organizationKeyOf } from '../../service/organization_key.ts';
import { Failure } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Unseals the organization in the answering enclave, with the passphrase of a holder.',
  reach: 'submits',
  options: {
    holder: option('NAME', 'Name or id of the holder. Default: the only passphrase holder.'),
    'passphrase-file': passphraseFileOption,
  },
  examples: {
    'org unseal': 'Asks for the passphrase, and unseals the organization.',
    'org unseal --holder treasurer --passphrase-file passphrase.txt':
      'Reads the passphrase of one of several holders from a file.',
  },
  run: async ({ options, output, terminal, service }) => {
    const { client, submit } = await service();
    const key = await organizationKeyOf(client);
    const { holderId, holderName, derivation } = holderNamed(key, options.holder);
    const secret = await holderSecret(derivation, options['passphrase-file'], terminal);
    const encryptedSecret = await sealHolderSecret(client, secret, 'unseal', key).finally(() =>
      secret.fill(0),
    );
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
