import { idsWhere } from '../../simulation/effect_parts.ts';
import { publicKeyOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'REMOVE_IP_ALLOWLIST',
  subject: 'CONFIG UPDATE',
  // The public documents have no rule for IP allowlists; they are configuration.
  rule: 'policies',
  calls: [{ by: 'parent', parameters: ({ userPublicKey: publicKey }) => ({ publicKey }) }],
  generate: {
    weight: 2.5,
    parameters: (world) => (world.choice.chance(0.5) ? {} : { publicKey: publicKeyOf(world) }),
  },
  effect: ({ intent, before }) => ({
    deleted: {
      ip_allowlist: idsWhere(
        before,
        'ip_allowlist',
        ({ publicKey }) => publicKey === intent.publicKey?.toLowerCase(),
      ),
    },
    facts: { 'only a parent has one': before.parentId === undefined },
  }),
});
