import { command } from '../../command_line/command.ts';
import { readFileBounded } from '../../files/files.ts';
import { visible } from '../../output/output.ts';
import { Failure } from '../../words/failures.ts';

export default command({
  summary: 'Tries policies on the cases of a file, without a service.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'file', summary: 'Policies and cases, see docs/policy-language.md.' }],
  examples: {
    'policy test examples/policies/approvals.json':
      'Reports for each case whether the decision is as expected.',
  },
  run: async ({ arguments: { file }, terminal }) => {
    const text = new TextDecoder().decode(await readFileBounded(file));
    const { testPolicies } = await import('../../policies/policy_command.ts');
    const tested = testPolicies(text, (line) => terminal.out(`${visible(line.trimEnd())}\n`));
    if ('failure' in tested) {
      throw new Failure({
        exit: 'invalid',
        code: 'policy_invalid',
        message: `${file}: ${tested.failure}`,
      });
    }
    if (!tested.passed) {
      throw new Failure({
        exit: 'unexpected',
        code: 'cases_failed',
        message: 'Not all cases passed.',
      });
    }
  },
});
