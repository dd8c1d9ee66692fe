import { command } from '../../command_line/command.ts';
import { jsonText } from '../../output/output.ts';
import { newPolicy, storedPolicies } from '../../policies/policy_file.ts';

export default command({
  summary: 'Prints the policies of the organization as a file for policy test, diff and apply.',
  reach: 'reads',
  examples: {
    'policy pull': 'Prints JSON to store: keywright policy pull > policies.json',
  },
  run: async ({ output, service }) => {
    const { client } = await service();
    const policies = (await storedPolicies(client)).map(newPolicy);
    const { users } = await client.query('list_users');
    const { quorum } = (await client.query('get_organization_configs')).configs;
    const file = {
      policies,
      // Test cases refer to users by id; the file needs no credentials.
      users: users.map(({ userId, userName, userTags }) => ({ userId, userName, userTags })),
      rootQuorum: { userIds: quorum.userIds, threshold: quorum.threshold },
      cases: [],
    };
    output.raw(`${jsonText(file, 2)}\n`);
  },
});
