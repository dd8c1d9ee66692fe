import { command } from '../../command_line/command.ts';
import { planOf } from '../../migration/plan.ts';
import { fromOption, printPlan, readSource } from '../../migration/source.ts';
import { readOrganization } from '../../migration/state.ts';

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
  run: async ({ options: { from }, common, output, service, terminal }) => {
    const { client } = await service();
    const target = await readOrganization(client);
    const source = await readSource(from, common, terminal, output);
    printPlan(planOf(source, target, terminal.clock()), output);
  },
});
