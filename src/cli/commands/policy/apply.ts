import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { visible } from '../../output/output.ts';
import {
  changeLines,
  newPolicy,
  type PolicyChange,
  policyChanges,
  policyUpdate,
  readPolicyFile,
  storedPolicies,
} from '../../policies/policy_file.ts';
import type { Service } from '../../service/service.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Creates and updates policies until the organization has those of a file.',
  reach: 'destroys',
  arguments: [{ name: 'file', summary: 'Policies, as policy pull prints them.' }],
  options: {
    delete: flag('Also deletes policies that the file does not have.'),
  },
  examples: {
    'policy apply policies.json --dry-run': 'Shows the outcome and changes nothing.',
    'policy apply policies.json': 'Shows the changes, prompts for confirmation, and applies them.',
  },
  run: async ({ arguments: { file }, options, output, terminal, common, service }) => {
    const desired = await readPolicyFile(file);
    const connected = await service();
    const stored = await storedPolicies(connected.client);
    const changes = policyChanges(desired, stored, { deletes: options.delete });
    for (const line of changes.flatMap(changeLines)) terminal.err(`${visible(line)}\n`);
    if (changes.length === 0) {
      output.thing({ Changed: 0 }, { document: { changes: [] }, ids: [] });
      return;
    }
    const warning = `${changes.length} policies change in this organization.`;
    await confirm(terminal, common, { warning, type: String(changes.length) });
    // Restricting steps come first, so an interrupted run never allows more than before.
    for (const step of stepsOf(changes)) await step(connected);
    output.thing({ Changed: changes.length }, { document: { changes }, ids: changes.map(nameOf) });
  },
});

const nameOf = (change: PolicyChange): string =>
  change.kind === 'delete' ? change.stored.policyName : change.desired.policyName;

type PolicyStep = (service: Service) => Promise<unknown>;

/** Returns the steps, one activity each: new DENY policies, updates, new ALLOW policies, deletions. */
function stepsOf(changes: readonly PolicyChange[]): readonly PolicyStep[] {
  const created = (effect: string) =>
    changes.flatMap((change) =>
      change.kind === 'create' && change.desired.effect === effect
        ? [newPolicy(change.desired)]
        : [],
    );
  const creation = (effect: string): readonly PolicyStep[] => {
    const policies = created(effect);
    return policies.length === 0 ? [] : [({ submit }) => submit('create_policies', { policies })];
  };
  const updates = changes.flatMap((change): readonly PolicyStep[] => {
    if (change.kind !== 'update') return [];
    return [({ submit }) => submit('update_policy', policyUpdate(change))];
  });
  const policyIds = changes.flatMap((change) =>
    change.kind === 'delete' ? [change.stored.policyId] : [],
  );
  const deletion: readonly PolicyStep[] =
    policyIds.length === 0 ? [] : [({ submit }) => submit('delete_policies', { policyIds })];
  return [...creation('EFFECT_DENY'), ...updates, ...creation('EFFECT_ALLOW'), ...deletion];
}
