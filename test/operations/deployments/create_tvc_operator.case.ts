import { rowsIn } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_TVC_OPERATOR',
  subject: 'TVC_OPERATOR CREATE',
  rule: 'policies',
  calls: [
    { parameters: () => ({ walletName: label, path: 'm/1', operatorName: label }) },
    { parameters: ({ walletId }) => ({ walletId, path: 'm/1', operatorName: label }) },
  ],
  generate: {
    weight: 0.5,
    parameters: (world) => ({
      ...(world.choice.chance(0.4)
        ? { walletName: `Wallet ${world.serial}` }
        : { walletId: idOf(world, 'wallet') }),
      path: `m/${world.choice.below(6)}`,
      operatorName: `Operator ${world.serial}`,
    }),
  },
  effect: ({ intent, result, before, after }) => ({
    created: {
      wallet: before.rows.wallet.has(result.walletId) ? [] : [result.walletId],
      wallet_account: 2,
      tvc_operator: [result.operatorId],
    },
    facts: {
      'its keys are accounts of the wallet':
        after.rows.tvc_operator.get(result.operatorId)?.publicKey ===
          `${result.encryptPublicKey}${result.signPublicKey}` &&
        ['encryptPublicKey', 'signPublicKey'].every((name, i) =>
          rowsIn(after, 'wallet_account').some(
            ({ walletId, path, address }) =>
              walletId === result.walletId &&
              path === `${intent.path}/${i}` &&
              address === result[name],
          ),
        ),
    },
  }),
});
