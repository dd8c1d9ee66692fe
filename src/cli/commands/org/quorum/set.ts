import { command } from '../../../command_line/command.ts';
import { confirm } from '../../../output/confirm.ts';
import { findUser } from '../../../service/find.ts';
import { usage } from '../../../words/failures.ts';
import { option } from '../../../words/options.ts';

export default command({
  summary: 'Sets the members of the root quorum and its threshold.',
  reach: 'destroys',
  arguments: [{ name: 'users', summary: 'Names or ids of all members.', count: 'many' }],
  options: {
    threshold: option('N', 'Number of members whose approval suffices; required.'),
  },
  examples: {
    "org quorum set 'Root user' alice --threshold 2 --dry-run":
      'Reports the result without changes.',
  },
  run: async ({ arguments: { users: words }, options, output, terminal, common, service }) => {
    const threshold = Number(options.threshold);
    if (options.threshold === undefined || !Number.isInteger(threshold)) {
      throw usage('org quorum set needs --threshold N, a whole number');
    }
    const { client, submit } = await service();
    const members = [];
    for (const word of words) members.push(await findUser(client, word));
    const names = members.map(({ userName }) => userName).join(', ');
    const lockOut =
      threshold === members.length ? ' A single lost key then locks out the organization.' : '';
    const warning = `From now on ${threshold} of ${names} decide everything.${lockOut}`;
    await confirm(terminal, common, { warning, type: String(threshold) });
    const userIds = members.map(({ userId }) => userId);
    const result = await submit('update_root_quorum', { threshold, userIds });
    if (result !== undefined) {
      output.thing({ Threshold: threshold, Members: names }, { document: result, ids: userIds });
    }
  },
});
