import { command } from '../../../command_line/command.ts';
import { newPassphraseHolder, passphraseFileOption } from '../../../keys/holder_secrets.ts';
import { organizationKeyOf } from '../../../service/organization_key.ts';

export default command({
  summary: 'Adds a passphrase holder to the organization key. The organization must be unsealed.',
  reach: 'submits',
  arguments: [{ name: 'holder', summary: 'Name of the new holder.' }],
  options: { 'passphrase-file': passphraseFileOption },
  examples: {
    'org holder add deputy': 'Asks twice for a passphrase, then adds the holder.',
  },
  run: async ({ arguments: { holder }, options, output, terminal, service }) => {
    const { client, submit } = await service();
    const key = await organizationKeyOf(client);
    const file = options['passphrase-file'];
    const members = await newPassphraseHolder(client, file, terminal, key);
    const result = await submit('create_key_holder', { holderName: holder, ...members });
    if (result === undefined) return;
    const { holderId } = result;
    output.thing({ Holder: holder, ID: holderId }, { document: result, ids: [holderId] });
  },
});
