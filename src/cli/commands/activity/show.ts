import { accountFinder } from '../../approvals/accounts.ts';
import { readDescriptions } from '../../approvals/descriptions.ts';
import { readProgressLines } from '../../approvals/progress_lines.ts';
import { signedContent } from '../../approvals/signed_content.ts';
import { command } from '../../command_line/command.ts';
import { statusText } from '../../output/activity_rows.ts';
import { visible } from '../../output/output.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Shows the signed request of an activity, after checking the signature, and its votes.',
  reach: 'reads',
  arguments: [{ name: 'id', summary: 'Id of the activity.' }],
  examples: {
    'activity show 01a205ac-48e3-74b0-9a8f-4777ece305a4':
      'Prints it; --json prints the whole document.',
  },
  run: async ({ arguments: { id }, output, service }) => {
    const { client } = await service();
    const activity = await client.activity(id);
    const { said } = activity;
    if (output.json || output.quiet) {
      output.thing({}, { document: said, ids: [said.id] });
      return;
    }
    const lines = await signedContent(activity, {
      accountOf: accountFinder(client),
      descriptionsOf: () => readDescriptions(client),
      progressOf: () => readProgressLines(client, said.id),
    });
    const votes = said.votes.map(({ selection, user, createdAt }) => {
      const verb = selection === 'VOTE_SELECTION_APPROVED' ? 'approved' : 'rejected';
      return `  ${timeText(createdAt)}  ${visible(user.userName)} ${verb}`;
    });
    output.raw(
      [...lines, `State: ${visible(statusText(said.status))}`, 'Votes:', ...votes, ''].join('\n'),
    );
  },
});
