import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { opensTo } from '../../simulation/effect_parts.ts';
import { heldKeys } from '../../simulation/held_keys.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { targetPublicKey } from './transfer_requests.ts';

export default activityCase({
  types: 'EXPORT_WALLET',
  subject: 'WALLET EXPORT',
  rule: 'policies',
  calls: [{ parameters: ({ walletId }) => ({ walletId, targetPublicKey }) }],
  generate: {
    weight: 1.5,
    parameters: (world) => ({ walletId: idOf(world, 'wallet'), targetPublicKey }),
  },
  effect: ({ intent: { walletId }, result, before, after }) => {
    const wallet = before.rows.wallet.get(walletId);
    return {
      updated: { wallet: [walletId] },
      facts: {
        'it is marked': after.rows.wallet.get(walletId)?.exported === true,
        'the sentence came out':
          wallet !== undefined &&
          opensTo(result.exportBundle, before.id, textOfUtf8) ===
            heldKeys(before.id).useSentence(wallet, textOfUtf8),
      },
    };
  },
});
