import { command } from '../../command_line/command.ts';
import { planOf } from '../../migration/plan.ts';
import { fromOption, printPlan, readBoth } from '../../migration/source.ts';

export default command({
  words: 'migrate plan',
  summary: 'Lists what migrate run would create, and what a person has to move.',
  reach: 'reads',
  options: { from: fromOption },
  examples: [
    {
      type: 'migrate plan --from hosted',
      does: 'Compares users, tags, policies, webhooks and keys of two organizations.',
    },
  ],
  run: async (invocation) => {
    const { options, output, terminal } = invocation;
    const { source, target } = await readBoth(options.from, invocation);
    printPlan(planOf(source, target, terminal.clock()), output);
  },
});
