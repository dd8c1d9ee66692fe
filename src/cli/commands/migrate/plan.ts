import { command } from '../../command_line/command.ts';
import { planOf } from '../../migration/plan.ts';
import { connectBoth, migrationOptions, printPlan } from '../../migration/source.ts';

export default command({
  summary: 'Lists the rows that migrate run would create, and those to move by hand.',
  reach: 'reads',
  options: migrationOptions,
  examples: {
    'migrate plan --from hosted':
      'Compares users, tags, policies, webhooks, keys and sub-organizations.',
    'migrate plan --from hosted --keys':
      'Shows the wallets and keys that a run with --keys would move, and waiting activities.',
  },
  run: async (invocation) => {
    const { options, output } = invocation;
    const migration = await connectBoth(options, invocation);
    printPlan(planOf(await migration.input()), migration, output);
    output.note(`Once the rows are reviewed: keywright migrate run --reviewed ${migration.digest}`);
  },
});
