import { failField } from '../../core/errors/errors.ts';
import { allowanceOf, approvalOf } from '../../core/markets/contract_call.ts';
import { afterFee, uniswapV3 } from '../../core/markets/swaps.ts';
import { answerText, boolean, object, optional, text, uuid } from '../../core/schema/schema.ts';
import { amountOf } from '../../core/sends/ethereum_send.ts';
import { activityOf, type LoadInput, olderVersion, wireOf } from '../operation.ts';
import { approvedCalls, prepareCalls } from '../sending/composed_calls.ts';
import { orderSignatures, type PreparedSend } from '../sending/ethereum_prepared.ts';
import { amount, senderOf } from '../sending/ethereum_sender.ts';
import { signWith } from '../signing/signing_key.ts';
import { requireOwnDestination } from './create_swap_quote.ts';
import { claimOf, signerOfQuote } from './quote.ts';
import { bestPool, feeOf, type Market, marketOf, token, tokenAmount } from './swap_terms.ts';

/** Seconds after the signature until the swap expires. */
const deadlineSeconds = 1_200n;

/** The common form of all versions. */
type SwapParameters = {
  readonly inputToken: string;
  readonly outputToken: string;
  readonly inputAmount: string;
  readonly minOutputAmount: string;
  readonly sponsor?: boolean | undefined;
  /** Set with a quote. */
  readonly quoteId?: string | undefined;
  readonly quotedOutputAmount?: string | undefined;
  readonly evmNonce?: string | undefined;
  readonly gasStationNonce?: string | undefined;
  readonly recentBlockhash?: string | undefined;
  readonly destinationAddress?: string | undefined;
  /** Set without a quote. */
  readonly walletAccount?: string | undefined;
  readonly provider?: string | undefined;
};

const terms = { inputToken: token(), inputAmount: tokenAmount(), outputToken: token() };
const bound = {
  quoteId: uuid(),
  ...terms,
  quotedOutputAmount: tokenAmount(),
  minOutputAmount: tokenAmount(),
  sponsor: boolean(),
  evmNonce: amount(),
  recentBlockhash: optional(text({ maximum: 64 })),
  gasStationNonce: amount(),
};

export const execute_swap = activityOf<SwapParameters>()({
  wire: wireOf('ACTIVITY_TYPE_EXECUTE_SWAP_V3', ''),
  upgrade: (same) => same,
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_EXECUTE_SWAP_V2', ''),
      parameters: object(bound),
      upgrade: (same): SwapParameters => same,
    }),
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_EXECUTE_SWAP'),
      parameters: object({
        ...terms,
        walletAccount: signWith(),
        sponsor: optional(boolean()),
        slippage: optional(text({ maximum: 5 })),
        provider: optional(text({ maximum: 64 })),
        minOutputAmount: tokenAmount(),
      }),
      upgrade: (same): SwapParameters => same,
    }),
  ],
  summary: 'Sends a swap of tokens by Uniswap, which gives at least the named output or reverts.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    ...bound,
    destinationAddress: optional(text({ minimum: 1, maximum: 64 })),
  }),
  result: object({
    swapRequestId: answerText(),
    provider: answerText(),
    quoteId: optional(answerText()),
  }),

  callsExternal: () => true,
  signs: true,

  load: async (input) => {
    const { parameters, services } = input;
    const market = marketOf(parameters, services.deployment);
    const { walletAccount = '', recentBlockhash, provider } = parameters;
    if (recentBlockhash !== undefined) {
      failField('parameters.recentBlockhash', 'expected nothing: only Solana has blockhashes');
    }
    if (provider !== undefined && provider !== uniswapV3.provider) {
      failField('parameters.provider', `expected \`${uniswapV3.provider}\`, or nothing`);
    }
    const quoteId = parameters.quoteId?.toLowerCase();
    const signer =
      quoteId === undefined ? walletAccount : await signerOfQuote(quoteId, parameters, input);
    return { quoteId, prepared: await preparedSwap(market, signer, input) };
  },
  facts: ({ loaded: { prepared } }) => prepared.facts(),
  explain: ({ loaded: { prepared } }) => prepared.explain(),
  obtain: (input) => orderSignatures(input.loaded.prepared, input),
  apply: ({ loaded: { quoteId, prepared }, ...input }) => {
    // The commit fails if the quote was executed meanwhile.
    if (quoteId !== undefined) input.organization.claim(claimOf(quoteId));
    const swapRequestId = prepared.start(input);
    const quote = quoteId === undefined ? {} : { quoteId };
    return { swapRequestId, provider: uniswapV3.provider, ...quote };
  },
});

/** Prepares the swap in the best pool, preceded by the approval that the router needs. */
async function preparedSwap(
  market: Market,
  signer: string,
  input: Pick<
    LoadInput<SwapParameters>,
    'parameters' | 'organization' | 'read' | 'services' | 'context'
  >,
): Promise<PreparedSend> {
  const { parameters, services, context } = input;
  const { caip2, contracts, pair } = market;
  const sender = await senderOf({ from: signer, caip2 }, input);
  const recipient = sender.place.address;
  requireOwnDestination(parameters.destinationAddress, recipient);
  const amountIn = amountOf('parameters.inputAmount', parameters.inputAmount);
  const minimum = amountOf('parameters.minOutputAmount', parameters.minOutputAmount);
  services.rejectEarlyIfImpossible(sender.found.facts, { isWhole: false });
  const share = await feeOf(input.organization, services);
  const { fee, output } = await bestPool(market, amountIn, services);
  const received = afterFee(output, share);
  if (received < minimum) {
    const expected = `expected at most ${received}, which the pools give now`;
    failField('parameters.minOutputAmount', expected);
  }
  const deadline = BigInt(Math.floor(context.now / 1_000)) + deadlineSeconds;
  const swap = uniswapV3.swap(contracts, {
    ...pair,
    amount: amountIn,
    fee,
    minimum,
    share,
    recipient,
    deadline,
  });
  const { input: paid } = pair;
  const { router, swapGas } = contracts;
  const [allowed = 0n] =
    paid === undefined
      ? []
      : await services.external.fetchContractValues({
          caip2,
          calls: [allowanceOf(paid, recipient, router)],
        });
  const calls =
    paid === undefined
      ? { first: swap }
      : approvedCalls(swap, {
          isApproved: allowed >= amountIn,
          approval: () => approvalOf(paid, router, amountIn),
          gas: swapGas,
        });
  const { evmNonce: nonce, gasStationNonce } = parameters;
  const nonces = { nonce, gasStationNonce };
  const sponsor = parameters.sponsor === true;
  return await prepareCalls({ sender, calls, sponsor, nonces, nonceMember: 'evmNonce' }, input);
}
