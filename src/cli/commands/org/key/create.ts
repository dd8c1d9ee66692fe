import { sealHolderSecret } from '../../../../client/key_holders.ts';
import { command } from '../../../command_line/command.ts';
import { newHolderSecret, passphraseFileOption } from '../../../keys/holder_secrets.ts';
import { confirm } from '../../../output/confirm.ts';
import { keyWarning } from '../../../service/organization_key.ts';

export default command({
  words: 'org key create',
  summary: 'Creates a key of the organization beside the root key, with a passphrase.',
  reach: 'destroys',
  arguments: [{ name: 'holder', summary: 'Name of the first holder of the key.' }],
  options: { 'passphrase-file': passphraseFileOption },
  examples: [
    {
      type: 'org key create treasurer',
      does: 'Asks twice for a passphrase, then creates the key.',
    },
  ],
  run: async ({ arguments: { holder }, options, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { organizationName } = await client.query('whoami');
    await confirm(terminal, common, { warning: keyWarning, type: organizationName });
    const { derivation, secret } = await newHolderSecret(options['passphrase-file'], terminal);
    const encryptedSecret = await sealHolderSecret(client, secret, 'hold', undefined).finally(() =>
      secret.fill(0),
    );
    const type = 'KEY_HOLDER_TYPE_PASSPHRASE';
    const described = { holderName: holder, type, derivation, encryptedSecret } as const;
    const result = await submit('create_organization_key', described);
    if (result === undefined) return;
    const { organizationKeyId, holderId } = result;
    output.thing(
      { Key: organizationKeyId, Holder: holder, 'Holder ID': holderId },
      { document: result, ids: [organizationKeyId] },
    );
  },
});
