import { Transaction } from 'ethers';
import { transactionComplaints } from '../../simulation/authority.ts';
import { ethereumSigner } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { signers, transaction } from '../case_parts.ts';

export default activityCase({
  types: 'SIGN_TRANSACTION_V2 SIGN_TRANSACTION',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: signers((signWith) => ({ signWith, ...transaction })),
  generate: {
    weight: 2,
    parameters: (world) => ({
      signWith: ethereumSigner(world),
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: Transaction.from({
        type: 2,
        chainId: 1 + world.choice.below(3),
        nonce: world.serial,
        gasLimit: 21_000,
        maxFeePerGas: 10,
        maxPriorityFeePerGas: 1,
        to: `0x${'12'.repeat(20)}`,
        value: world.choice.below(1_000),
      }).unsignedSerialized.slice(2),
    }),
  },
  effect: ({ intent, result, before }) => ({
    complaints: transactionComplaints(intent, result.signedTransaction, before),
  }),
});
