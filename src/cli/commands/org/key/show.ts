import { command } from '../../../command_line/command.ts';
import { timeText } from '../../../words/times.ts';

export default command({
  summary: 'Shows the organization key and its holders, and whether the organization is sealed.',
  reach: 'reads',
  examples: { 'org key show': 'Prints the state and the holders.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('get_organization_key');
    const { organizationKey, isSealed } = answer;
    if (organizationKey === undefined) {
      output.thing({ Key: 'none, only the root key' }, { document: answer, ids: [] });
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
