import { hex } from '../../../src/core/base/bytes.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { opensTo, rowsIn } from '../../simulation/effect_parts.ts';
import { rowsOf, unknownId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { targetPublicKey } from './transfer_requests.ts';

export default activityCase({
  types: 'EXPORT_WALLET_ACCOUNT',
  subject: 'WALLET EXPORT',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => ({ address, targetPublicKey }) }],
  generate: {
    weight: 1.5,
    parameters: (world) => ({
      address: world.choice.some(rowsOf(world, 'wallet_account'), 1)[0]?.address ?? unknownId,
      targetPublicKey,
    }),
  },
  effect: ({ result, before, after }) => {
    const accounts = rowsIn(before, 'wallet_account').filter(
      ({ address }) => address === result.address,
    );
    return {
      updated: { wallet: accounts.map(({ walletId }) => walletId) },
      facts: {
        // Every account of an exported wallet counts as exported.
        'it is marked': accounts.some(({ id, walletId }) => {
          const wallet = after.rows.wallet.get(walletId);
          return wallet?.exported === true || wallet?.exportedAccountIds?.includes(id) === true;
        }),
        'the key came out': accounts.some(
          ({ curve, publicKey }) =>
            opensTo(result.exportBundle, before.id, (secret) =>
              hex(curves[curve].publicKeyOf(secret)),
            ) === publicKey,
        ),
      },
    };
  },
});
