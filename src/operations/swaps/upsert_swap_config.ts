import { fail, failField } from '../../core/errors/errors.ts';
import { maximumFeeBps } from '../../core/markets/swaps.ts';
import { answerText, decimal, numberOf, object, optional, text } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { findSigningKey } from '../signing/signing_key.ts';
import { accountThatSigns } from '../signing/transactions.ts';

export const upsert_swap_config = activity({
  wire: wireOf('ACTIVITY_TYPE_UPSERT_SWAP_CONFIG'),
  summary:
    'Sets the fee of swaps of the organization and its sub-organizations, and the account that receives it.',
  subject: { resource: 'CONFIG', action: 'UPDATE' },
  authority: 'swap_fee',
  parameters: object({
    feeReceiverWalletAddress: optional(text({ minimum: 1, maximum: 64 })),
    feeBps: optional(decimal({ minimum: 0, maximum: maximumFeeBps })),
    stableFeeBps: optional(text({ maximum: 5 })),
  }),
  result: object({
    feeReceiverWalletAddress: optional(answerText()),
    feeBps: optional(answerText()),
  }),

  load: async ({ organization, parameters, read }) => {
    const { feeReceiverWalletAddress: receiver, stableFeeBps = '' } = parameters;
    if (stableFeeBps !== '') {
      const expected =
        'expected nothing: the service does not know which tokens have stable prices';
      failField('parameters.stableFeeBps', expected);
    }
    const found = receiver && (await findSigningKey(receiver, organization, read));
    const { id: organizationId, parentId } = organization;
    if (parentId !== undefined) fail('swap_fee_of_parent', { organizationId, parentId });
    return found && accountThatSigns('TRANSACTION_TYPE_ETHEREUM', found).address;
  },
  apply: ({ organization, parameters: { feeBps }, loaded: address, context }) => {
    const before = organization.head.swapFee;
    const bps = feeBps === undefined ? (before?.bps ?? 0) : numberOf(feeBps);
    const receiver = address?.toLowerCase() ?? before?.receiver;
    if (receiver === undefined) {
      return failField('parameters.feeReceiverWalletAddress', 'expected an account for the fee');
    }
    organization.setHead({ swapFee: { bps, receiver }, updatedAtMs: context.now });
    return { feeReceiverWalletAddress: receiver, feeBps: String(bps) };
  },
});
