import { command } from '../../command_line/command.ts';
import { findUser, tagNames } from '../../service/find.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Shows a user with its credentials and tags.',
  reach: 'reads',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  examples: { 'user show alice': 'Prints contacts, tags, API keys and passkeys.' },
  run: async ({ arguments: { user: word }, output, service }) => {
    const { client } = await service();
    const user = await findUser(client, word);
    const nameOf = await tagNames(client);
    output.thing(
      {
        User: user.userName,
        ID: user.userId,
        'E-mail': user.userEmail,
        Telephone: user.userPhoneNumber,
        Tags: user.userTags.map(nameOf).join(' ') || undefined,
        ...Object.fromEntries(
          [
            ...user.apiKeys.map((key) => ['API key', key.apiKeyName, key.createdAt] as const),
            ...user.authenticators.map(
              (key) => ['Passkey', key.authenticatorName, key.createdAt] as const,
            ),
          ].map(([kind, name, at], place) => [
            `${kind} ${place + 1}`,
            `${name}, since ${timeText(at)}`,
          ]),
        ),
      },
      { document: { user }, ids: [user.userId] },
    );
  },
});
