import { failField } from '../../core/errors/errors.ts';
import { answerText, boolean, list, object, optional, text } from '../../core/schema/schema.ts';
import {
  type EthereumSendParameters,
  requestedCall,
  requestedTerms,
} from '../../core/sends/ethereum_send.ts';
import { caip2 } from '../balances/chain_of.ts';
import { activity, type LoadInput, olderVersion, wireOf } from '../operation.ts';
import { ownSend } from './ethereum_own.ts';
import { orderSignatures, type PreparedSend } from './ethereum_prepared.ts';
import { amount, from, requireNamedNonce, senderOf } from './ethereum_sender.ts';
import { sponsoredSend } from './ethereum_sponsor.ts';

const ofSponsored = ['deadline', 'gasStationNonce'] as const;

const call = {
  to: text({ minimum: 1, maximum: 64 }),
  value: amount(),
  data: optional(text({ maximum: 2 + 2 * 131_072 })),
};
const terms = {
  from: from(),
  caip2: caip2(),
  sponsor: optional(boolean()),
  nonce: amount(),
  gasLimit: amount(),
  maxFeePerGas: amount(),
  maxPriorityFeePerGas: amount(),
  deadline: amount(),
  gasStationNonce: amount(),
};

export const eth_send_transaction = activity({
  wire: wireOf('ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2'),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_ETH_SEND_TRANSACTION'),
      parameters: object({ ...terms, ...call }),
      upgrade: ({ to, value, data, ...rest }) => ({
        ...rest,
        calls: [
          {
            to,
            ...(value === undefined ? {} : { value }),
            ...(data === undefined ? {} : { data }),
          },
        ],
      }),
    }),
  ],
  summary: 'Signs a transaction of an Ethereum chain and sends it, until it is in a final block.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({ ...terms, calls: list(object(call), { minimum: 1, maximum: 50 }) }),
  result: object({ sendTransactionStatusId: answerText() }),

  callsExternal: () => true,
  signs: true,

  load: (input) =>
    input.parameters.sponsor === true ? sponsoredSend(input) : ofOneCall(input.parameters, input),
  facts: ({ loaded }) => loaded.facts(),
  explain: ({ loaded }) => loaded.explain(),
  obtain: (input) => orderSignatures(input.loaded, input),
  apply: ({ loaded, ...input }) => ({ sendTransactionStatusId: loaded.start(input) }),
});

/** Prepares a transaction without a sponsor. */
async function ofOneCall(
  parameters: EthereumSendParameters & {
    readonly from: string;
    readonly caip2: string;
  } & { readonly [name in (typeof ofSponsored)[number]]?: string | undefined },
  input: Pick<LoadInput<unknown>, 'organization' | 'read' | 'services'>,
): Promise<PreparedSend> {
  for (const name of ofSponsored) {
    if (parameters[name] === undefined) continue;
    failField(`parameters.${name}`, 'expected nothing: only sponsored transactions have it');
  }
  const sender = await senderOf(parameters, input);
  requireNamedNonce(sender.found, 'nonce', parameters.nonce);
  const call = requestedCall(parameters);
  const terms = requestedTerms(parameters, sender.place.caip2);
  return await ownSend({ sender, terms, call }, input);
}
