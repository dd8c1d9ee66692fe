import { command } from '../../command_line/command.ts';
import { runPlan } from '../../migration/run.ts';
import { fromOption, printPlan, readBoth } from '../../migration/source.ts';
import { requireSending } from '../../words/common_values.ts';

export default command({
  words: 'migrate run',
  summary: 'Creates the tags, users, policies and webhooks that the plan lists.',
  reach: 'submits',
  options: { from: fromOption },
  examples: [
    {
      type: 'migrate run --from hosted',
      does: 'Creates them, and prints what is left. Run it again after an interruption.',
    },
  ],
  run: async (invocation) => {
    const { options, common, output, terminal } = invocation;
    requireSending(common, 'migrate run', 'keywright migrate plan');
    const { connected, ...both } = await readBoth(options.from, invocation);
    const plan = await runPlan(both, connected, terminal.clock, ({ kind, name }) =>
      output.note(`created: ${kind} ${name}`),
    );
    printPlan(plan, output);
  },
});
