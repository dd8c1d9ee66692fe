import { command } from '../../../command_line/command.ts';
import { newPassphraseHolder, passphraseFileOption } from '../../../keys/holder_secrets.ts';
import { confirm } from '../../../output/confirm.ts';
import { keyWarning } from '../../../service/organization_key.ts';

export default command({
  summary: 'Creates an organization key, which the passphrase of its first holder opens.',
  reach: 'destroys',
  arguments: [{ name: 'holder', summary: 'Name of the first holder of the key.' }],
  options: { 'passphrase-file': passphraseFileOption },
  examples: {
    'org key create treasurer': 'Asks twice for a passphrase, then creates the key.',
  },
  run: async ({ arguments: { holder }, options, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { organizationName } = await client.query('whoami');
    await confirm(terminal, common, { warning: keyWarning, type: organizationName });
    const file = options['passphrase-file'];
    const members = await newPassphraseHolder(client, file, terminal, undefined);
    const result = await submit('create_organization_key', { holderName: holder, ...members });
    if (result === undefined) return;
    const { organizationKeyId, holderId } = result;
    output.thing(
      { Key: organizationKeyId, Holder: holder, 'Holder ID': holderId },
      { document: result, ids: [organizationKeyId] },
    );
  },
});
