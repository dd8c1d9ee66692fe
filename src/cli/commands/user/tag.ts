import { command } from '../../command_line/command.ts';
import { findTags, findUser } from '../../service/find.ts';
import { usage } from '../../words/failures.ts';
import { repeatable } from '../../words/options.ts';

export default command({
  summary: 'Adds tags to a user and removes others; policies can read tags.',
  reach: 'submits',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  options: {
    add: repeatable('TAG', 'Name or id of a tag that the user gets.'),
    remove: repeatable('TAG', 'Name or id of a tag that the user loses.'),
  },
  examples: { 'user tag dave --add ops': 'Adds the tag ops, which must exist.' },
  run: async ({ arguments: { user: word }, options, output, service }) => {
    if (options.add.length + options.remove.length === 0)
      throw usage('user tag needs --add or --remove');
    const { client, submit } = await service();
    const user = await findUser(client, word);
    const changes = [
      ...(await findTags(client, options.add)).map((tag) => ({ tag, add: true })),
      ...(await findTags(client, options.remove)).map((tag) => ({ tag, add: false })),
    ];
    const results = [];
    for (const { tag: userTagId, add } of changes) {
      const ids = [user.userId];
      const [addUserIds, removeUserIds] = add ? [ids, []] : [[], ids];
      const result = await submit('update_user_tag', { userTagId, addUserIds, removeUserIds });
      if (result !== undefined) results.push(result);
    }
    if (results.length === 0) return;
    output.thing(
      { User: user.userName, Changed: results.length },
      { document: { userId: user.userId, results }, ids: [user.userId] },
    );
  },
});
