import { idsWhere, rowsIn } from '../../simulation/effect_parts.ts';
import { publicKeyOf } from '../../simulation/request_parts.ts';
import type { TrueState } from '../../simulation/true_state.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'SET_IP_ALLOWLIST',
  subject: 'CONFIG UPDATE',
  // The public documents have no rule for IP allowlists; they are configuration.
  rule: 'policies',
  calls: [
    { by: 'parent', parameters: () => ({ rules: [{ cidr: '127.0.0.0/24', label }] }) },
    {
      by: 'parent',
      parameters: ({ userPublicKey: publicKey }) => ({ publicKey, rules: [{ cidr: '::1' }] }),
    },
  ],
  generate: {
    weight: 1.5,
    parameters: (world) => ({
      ...(world.choice.chance(0.5)
        ? { publicKey: publicKeyOf(world) }
        : { enabled: world.choice.chance(0.7) }),
      // All requests of the simulation come from one address, so every list contains it.
      rules: ['127.0.0.0/24', ...world.choice.some(['192.0.2.0/24', '::1', '127.0.0.1'], 2)].map(
        (cidr) => ({ cidr }),
      ),
    }),
  },
  effect: ({ intent, before, after }) => {
    const key = intent.publicKey?.toLowerCase();
    const idsIn = (state: TrueState) =>
      idsWhere(state, 'ip_allowlist', ({ publicKey }) => publicKey === key);
    const wasThere = idsIn(before).length > 0;
    const keys = new Set(rowsIn(before, 'api_key').map((row) => row.publicKey.toLowerCase()));
    return {
      created: { ip_allowlist: wasThere ? [] : idsIn(after) },
      updated: { ip_allowlist: idsIn(before) },
      mayGo: {
        ip_allowlist: idsWhere(
          before,
          'ip_allowlist',
          ({ publicKey }) => publicKey !== undefined && !keys.has(publicKey),
        ),
      },
      facts: {
        'there is one list': idsIn(after).length === 1,
        'it is of a key that is there': key === undefined || keys.has(key),
        'only a parent has one': before.parentId === undefined,
      },
    };
  },
});
