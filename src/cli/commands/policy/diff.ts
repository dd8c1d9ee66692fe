import { command } from '../../command_line/command.ts';
import { visible } from '../../output/output.ts';
import {
  changeLines,
  policyChanges,
  readPolicyFile,
  storedPolicies,
} from '../../policies/policy_file.ts';
import { Failure } from '../../words/failures.ts';

export default command({
  summary: 'Prints the changes that policy apply would make; exits with 1 if there are any.',
  reach: 'reads',
  arguments: [{ name: 'file', summary: 'Policies, as policy pull prints them.' }],
  examples: { 'policy diff policies.json': 'Prints each clause that differs.' },
  run: async ({ arguments: { file }, output, service }) => {
    const desired = await readPolicyFile(file);
    const { client } = await service();
    const changes = policyChanges(desired, await storedPolicies(client), { deletes: true });
    if (output.json) output.thing({}, { document: { changes }, ids: [] });
    else for (const line of changes.flatMap(changeLines)) output.raw(`${visible(line)}\n`);
    if (changes.length > 0) {
      const message = `${changes.length} policies differ.`;
      throw new Failure({ exit: 'unexpected', code: 'policies_differ', message });
    }
  },
});
