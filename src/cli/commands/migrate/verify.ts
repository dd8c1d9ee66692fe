import { command } from '../../command_line/command.ts';
import { planOf } from '../../migration/plan.ts';
import { connectBoth, migrationOptions, printPlan } from '../../migration/source.ts';
import { Failure } from '../../words/failures.ts';

export default command({
  summary: 'Verifies that the target has everything of the source; ends with 9 if not.',
  reach: 'reads',
  options: migrationOptions,
  examples: {
    'migrate verify --from hosted': 'Prints the rows that are missing or differ.',
  },
  run: async (invocation) => {
    const { options, output } = invocation;
    const migration = await connectBoth(options, invocation);
    const plan = planOf(await migration.input());
    const left = plan.filter(({ state }) => state !== 'done');
    printPlan(left, migration, output);
    if (left.length === 0) return;
    const message = `${left.length} of ${plan.length} rows are missing or differ.`;
    const next = 'Create them with keywright migrate run, or by hand as their notes state.';
    throw new Failure({ exit: 'not_verified', message, next });
  },
});
