import { command } from '../../../command_line/command.ts';
import { timeText } from '../../../words/times.ts';

export default command({
  words: 'org key show',
  summary: 'Shows the key of the organization, its holders, and whether it is sealed.',
  reach: 'reads',
  examples: [{ type: 'org key show', does: 'Prints the holders, and sealed or unsealed.' }],
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('get_organization_key');
    const { organizationKey, isSealed } = answer;
    if (organizationKey === undefined) {
      output.thing({ Key: 'none: the root key alone' }, { document: answer, ids: [] });
      return;
    }
    const { organizationKeyId, sealCount, holders, createdAt } = organizationKey;
    output.thing(
      {
        Organization: isSealed ? 'sealed' : 'unsealed',
        Key: organizationKeyId,
        Created: timeText(createdAt),
        Seals: sealCount,
        Holders: holders.map(({ holderName }) => holderName).join(', '),
      },
      { document: answer, ids: [organizationKeyId] },
    );
  },
});
