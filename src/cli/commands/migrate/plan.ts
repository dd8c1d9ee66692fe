import { command } from '../../command_line/command.ts';
import { planOf } from '../../migration/plan.ts';
import { connectBoth, migrationOptions, printPlan } from '../../migration/source.ts';

export default command({
  words: 'migrate plan',
  summary: 'Lists what migrate run would create, and what a person has to move.',
  reach: 'reads',
  options: migrationOptions,
  examples: [
    {
      type: 'migrate plan --from hosted',
      does: 'Compares users, tags, policies, webhooks, keys and sub-organizations.',
    },
    {
      type: 'migrate plan --from hosted --keys',
      does: 'Shows the wallets and keys that a run with --keys would move, and what waits.',
    },
  ],
  run: async (invocation) => {
    const { options, output } = invocation;
    const { input } = await connectBoth(options, invocation);
    printPlan(planOf(await input()), output);
  },
});
