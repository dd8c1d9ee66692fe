import { command } from '../../../command_line/command.ts';
import { findUser } from '../../../service/find.ts';
import { timeText } from '../../../words/times.ts';

export default command({
  summary: 'Lists the API keys of a user.',
  reach: 'reads',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  examples: { 'user key list alice': 'Prints names, public keys and expiry.' },
  run: async ({ arguments: { user: word }, output, service }) => {
    const { client } = await service();
    const { userId } = await findUser(client, word);
    const answer = await client.query('get_api_keys', { userId });
    output.list(
      answer.apiKeys.map(({ apiKeyName, apiKeyId, credential, createdAt, expirationSeconds }) => ({
        Name: apiKeyName,
        ID: apiKeyId,
        'Public key': credential.publicKey,
        Expires:
          expirationSeconds === undefined
            ? 'never'
            : timeText({ seconds: Number(createdAt.seconds) + Number(expirationSeconds) }),
      })),
      {
        document: answer,
        ids: answer.apiKeys.map(({ apiKeyId }) => apiKeyId),
        empty: 'No API keys.',
      },
    );
  },
});
