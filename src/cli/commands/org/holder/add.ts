import { command } from '../../../command_line/command.ts';
import { newHolder, newHolderOptions } from '../../../keys/holder_secrets.ts';
import { organizationKeyOf } from '../../../service/organization_key.ts';

export default command({
  summary: 'Adds a holder to the organization key. The organization must be unsealed.',
  reach: 'submits',
  arguments: [{ name: 'holder', summary: 'Name of the new holder.' }],
  options: newHolderOptions,
  examples: {
    'org holder add deputy': 'Asks twice for a passphrase, then adds the holder.',
    'org holder add clerk --passkey': 'Creates a passkey in a browser instead.',
  },
  run: async ({ arguments: { holder }, options, output, terminal, service }) => {
    const { client, submit } = await service();
    const key = await organizationKeyOf(client);
    const { passkey, 'passphrase-file': file } = options;
    const members = await newHolder(
      { client, key },
      { holderName: holder, passkey, file },
      terminal,
    );
    const result = await submit('create_key_holder', { holderName: holder, ...members });
    if (result === undefined) return;
    const { holderId } = result;
    output.thing({ Holder: holder, ID: holderId }, { document: result, ids: [holderId] });
  },
});
