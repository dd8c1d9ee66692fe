import { command } from '../../../command_line/command.ts';
import { newHolder, newHolderOptions } from '../../../keys/holder_secrets.ts';
import { confirm } from '../../../output/confirm.ts';
import { keyWarning } from '../../../service/organization_key.ts';

export default command({
  summary:
    'Creates an organization key, which the passphrase or passkey of its first holder opens.',
  reach: 'destroys',
  arguments: [{ name: 'holder', summary: 'Name of the first holder of the key.' }],
  options: newHolderOptions,
  examples: {
    'org key create treasurer': 'Asks twice for a passphrase, then creates the key.',
  },
  run: async ({ arguments: { holder }, options, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { organizationName } = await client.query('whoami');
    await confirm(terminal, common, { warning: keyWarning, type: organizationName });
    const { passkey, 'passphrase-file': file } = options;
    const members = await newHolder(
      { client, key: undefined },
      { holderName: holder, passkey, file },
      terminal,
    );
    const result = await submit('create_organization_key', { holderName: holder, ...members });
    if (result === undefined) return;
    const { organizationKeyId, holderId } = result;
    output.thing(
      { Key: organizationKeyId, Holder: holder, 'Holder ID': holderId },
      { document: result, ids: [organizationKeyId] },
    );
  },
});
