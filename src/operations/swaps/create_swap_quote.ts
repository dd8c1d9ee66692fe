import { failField } from '../../core/errors/errors.ts';
import { afterFee, uniswapV3 } from '../../core/markets/swaps.ts';
import {
  answerList,
  answerText,
  decimal,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { amountOf } from '../../core/sends/ethereum_send.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { requireAddress } from '../sending/composed_calls.ts';
import { senderOf } from '../sending/ethereum_sender.ts';
import { signWith } from '../signing/signing_key.ts';
import { bestPool, feeOf, marketOf, token, tokenAmount } from './swap_terms.ts';

const lifeMs = 600_000;
const usualSlippageBps = 50;

const parameters = {
  signWith: signWith(),
  inputToken: token(),
  outputToken: token(),
  inputAmount: tokenAmount(),
  slippageBps: optional(decimal({ minimum: 0, maximum: 5_000 })),
};

export const create_swap_quote = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_SWAP_QUOTE_V2', ''),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_CREATE_SWAP_QUOTE'),
      parameters: object(parameters),
      upgrade: (same) => same,
    }),
  ],
  summary:
    'Returns the output of a swap of tokens, with the least output that its execution accepts.',
  subject: { resource: 'SWAP_QUOTE', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    ...parameters,
    destinationAddress: optional(text({ minimum: 1, maximum: 64 })),
  }),
  result: object({
    quotes: answerList(
      object({
        quoteId: answerText(),
        provider: answerText(),
        outputAmount: answerText(),
        minOutputAmount: answerText(),
        expiresAt: answerText(),
        slippageBps: answerText(),
        clientFeeBps: answerText(),
      }),
    ),
  }),

  callsExternal: () => true,

  load: async ({ parameters: asked, organization, read, services }) => {
    const market = marketOf(asked, services.deployment);
    requireAddress(asked.signWith);
    const { caip2 } = market;
    const sender = await senderOf(
      { from: asked.signWith, caip2 },
      { organization, read, services },
    );
    requireOwnDestination(asked.destinationAddress, sender.place.address);
    const amount = amountOf('parameters.inputAmount', asked.inputAmount);
    services.rejectEarlyIfImpossible({}, { isWhole: true });
    const fee = await feeOf(organization, services);
    const { output } = await bestPool(market, amount, services);
    return { output: afterFee(output, fee), feeBps: fee?.bps ?? 0 };
  },
  apply: ({ activityId, parameters: { slippageBps }, loaded: { output, feeBps }, context }) => {
    const bps = slippageBps ?? usualSlippageBps;
    const minimum = (output * (10_000n - BigInt(bps))) / 10_000n;
    return {
      quotes: [
        {
          quoteId: activityId,
          provider: uniswapV3.provider,
          outputAmount: String(output),
          minOutputAmount: String(minimum),
          expiresAt: String(context.now + lifeMs),
          slippageBps: String(bps),
          clientFeeBps: String(feeBps),
        },
      ],
    };
  },
});

/** Requires that a swap pays to the signing address. Raises `field_invalid` for another destination. */
export function requireOwnDestination(destination: string | undefined, own: string): void {
  if (destination === undefined || destination.toLowerCase() === own) return;
  failField('parameters.destinationAddress', 'expected the address that signs, or nothing');
}
