import { command } from '../../command_line/command.ts';
import { runPlan } from '../../migration/run.ts';
import { fromOption, printPlan, readSource } from '../../migration/source.ts';
import { readOrganization } from '../../migration/state.ts';
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
  run: async ({ options: { from }, common, output, service, terminal }) => {
    requireSending(common, 'migrate run', 'keywright migrate plan');
    const connected = await service();
    const target = await readOrganization(connected.client);
    const source = await readSource(from, common, terminal, output);
    const plan = await runPlan({ source, target }, connected, terminal.clock, ({ kind, name }) =>
      output.note(`created: ${kind} ${name}`),
    );
    printPlan(plan, output);
  },
});
