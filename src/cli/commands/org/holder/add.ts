import { sealHolderSecret } from '../../../../client/key_holders.ts';
import { command } from '../../../command_line/command.ts';
import { newHolderSecret, passphraseFileOption } from '../../../keys/holder_secrets.ts';
import { organizationKeyOf } from '../../../service/organization_key.ts';

export default command({
  words: 'org holder add',
  summary: 'Adds a holder with a passphrase to the key of the unsealed organization.',
  reach: 'submits',
  arguments: [{ name: 'holder', summary: 'Name of the new holder.' }],
  options: { 'passphrase-file': passphraseFileOption },
  examples: [{ type: 'org holder add deputy', does: 'Asks twice for a passphrase.' }],
  run: async ({ arguments: { holder }, options, output, terminal, service }) => {
    const { client, submit } = await service();
    const key = await organizationKeyOf(client);
    const { derivation, secret } = await newHolderSecret(options['passphrase-file'], terminal);
    const encryptedSecret = await sealHolderSecret(client, secret, 'hold', key).finally(() =>
      secret.fill(0),
    );
    const type = 'KEY_HOLDER_TYPE_PASSPHRASE';
    const described = { holderName: holder, type, derivation, encryptedSecret } as const;
    const result = await submit('create_key_holder', described);
    if (result === undefined) return;
    const { holderId } = result;
    output.thing({ Holder: holder, ID: holderId }, { document: result, ids: [holderId] });
  },
});
