import { command } from '../../command_line/command.ts';
import { readFileBounded } from '../../files/files.ts';
import { placeIn } from '../../output/clause_place.ts';
import { visible } from '../../output/output.ts';
import { Failure } from '../../words/failures.ts';

export default command({
  summary:
    'Checks the policies of a file without a service: mistakes with their position, and warnings.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'file', summary: 'Policies, in the format of policy test.' }],
  examples: {
    'policy check examples/policies/approvals.json': 'Prints the mistakes and warnings.',
  },
  run: async ({ arguments: { file }, output }) => {
    const text = new TextDecoder().decode(await readFileBounded(file));
    const { checkPolicies } = await import('../../policies/policy_command.ts');
    const checked = checkPolicies(text);
    if ('failure' in checked) {
      throw new Failure({
        exit: 'invalid',
        code: 'policy_invalid',
        message: `${file}: ${checked.failure}`,
      });
    }
    output.list(
      checked.warnings.map(({ policy, clause, position, message, code }) => ({
        Policy: policy,
        Clause: clause,
        At: position,
        Warning: message,
        Code: code,
      })),
      {
        document: checked,
        ids: checked.warnings.map(({ code }) => code),
        empty: 'Nothing to mend.',
      },
    );
    if (output.json || output.quiet) return;
    for (const { policy, clause, text: of, position } of checked.warnings) {
      const place = placeIn(of, position);
      if (place.length > 0) output.note(`${visible(policy)}, ${clause}:\n  ${place.join('\n  ')}`);
    }
  },
});
