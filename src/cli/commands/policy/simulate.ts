import { activityTitle } from '../../../core/activity/activity_title.ts';
import { command } from '../../command_line/command.ts';
import {
  newPolicy,
  type PolicyChange,
  policyChanges,
  policyUpdate,
  readPolicyFile,
  storedPolicies,
} from '../../policies/policy_file.ts';
import { createProgress } from '../../terminal/progress.ts';
import { usage } from '../../words/failures.ts';
import { flag, option } from '../../words/options.ts';

const pageRows = 100;
const usualLimit = 1_000;
const longestLimit = 100_000;

export default command({
  summary: 'Decides past activities once more as if a file had been applied; stores nothing.',
  reach: 'reads',
  arguments: [{ name: 'file', summary: 'Policies, as policy pull prints them.' }],
  options: {
    delete: flag('Also deletes the policies that the file does not have, as policy apply --prune.'),
    limit: option(
      'N',
      `Number of past activities to decide, newest first. Default: ${usualLimit}.`,
    ),
  },
  examples: {
    'policy simulate policies.json': 'Prints each decision that would change.',
  },
  run: async ({ arguments: { file }, options, output, terminal, service }) => {
    const limit = Number(options.limit ?? usualLimit);
    if (!Number.isInteger(limit) || limit < 1 || limit > longestLimit) {
      throw usage(`--limit is a whole number from 1 to ${longestLimit}`);
    }
    const desired = await readPolicyFile(file);
    const { client } = await service();
    const stored = await storedPolicies(client);
    const changes = policyChanges(desired, stored, { deletes: options.delete }).map(simulated);
    const progress = createProgress(terminal, 'activities');
    const flips = [];
    let [decided, undecided, looked] = [0, 0, 0];
    let after: string | undefined;
    // A page may have no decisions, but not without end.
    for (let pages = 0; looked < limit && pages < limit; pages += 1) {
      const rows = Math.min(pageRows, limit - looked);
      const page = await client.query(
        'simulate_policies',
        { changes, limit: rows, ...(after === undefined ? {} : { after }) },
        { signal: terminal.signal },
      );
      flips.push(...page.decisions.filter(({ flips: isFlip }) => isFlip));
      decided += page.decided;
      undecided += page.undecided;
      looked += page.decisions.length;
      progress.show(looked);
      after = page.nextCursor;
      if (after === undefined) break;
    }
    progress.end();
    output.list(
      flips.map(({ activityId, type, was, wouldBe, message }) => ({
        Activity: activityId,
        What: activityTitle(type),
        Was: (was ?? '').toLowerCase(),
        'Would be': (wouldBe ?? '').toLowerCase(),
        Because: message,
      })),
      {
        document: { decided, undecided, flipped: flips.length, flips },
        ids: flips.map(({ activityId }) => activityId),
        empty: 'No decision would change.',
      },
    );
    const unknown = undecided === 0 ? '' : `; ${undecided} cannot be decided`;
    output.note(`${flips.length} of ${decided + undecided} decisions change${unknown}`);
  },
});

function simulated(change: PolicyChange) {
  if (change.kind === 'create') return { create: newPolicy(change.desired) };
  if (change.kind === 'update') return { update: policyUpdate(change) };
  return { delete: { policyId: change.stored.policyId } };
}
