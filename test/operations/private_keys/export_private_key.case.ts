import { hex } from '../../../src/core/base/bytes.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { opensTo } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';

export default activityCase({
  types: 'EXPORT_PRIVATE_KEY',
  subject: 'PRIVATE_KEY EXPORT',
  rule: 'policies',
  calls: [{ parameters: ({ privateKeyId }) => ({ privateKeyId, targetPublicKey }) }],
  generate: {
    weight: 1.5,
    parameters: (world) => ({ privateKeyId: idOf(world, 'private_key'), targetPublicKey }),
  },
  effect: ({ intent: { privateKeyId }, result, before, after }) => {
    const privateKey = before.rows.private_key.get(privateKeyId);
    return {
      updated: { private_key: [privateKeyId] },
      facts: {
        'it is marked': after.rows.private_key.get(privateKeyId)?.exported === true,
        'the key came out':
          privateKey !== undefined &&
          opensTo(result.exportBundle, before.id, (secret) =>
            hex(curves[privateKey.curve].publicKeyOf(secret)),
          ) === privateKey.publicKey,
      },
    };
  },
});
