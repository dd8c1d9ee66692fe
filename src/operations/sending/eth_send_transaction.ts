import { hex } from '../../core/base/bytes.ts';
import { failField } from '../../core/errors/errors.ts';
import { keysUsedBy } from '../../core/freezes/frozen.ts';
import { policy } from '../../core/policy/decision/access.ts';
import { answerText, boolean, list, object, optional, text } from '../../core/schema/schema.ts';
import {
  type AskedParameters,
  composeEthereum,
  priceOf,
  requestedTransaction,
} from '../../core/sends/ethereum_send.ts';
import { leastGas } from '../../core/sends/least_gas.ts';
import { startSend } from '../../core/sends/sends.ts';
import { caip2 } from '../balances/chain_of.ts';
import { activity, type LoadInput, olderVersion, wireOf } from '../operation.ts';
import { readWithInterfaces, transactionFacts } from '../signing/transactions.ts';
import type { PreparedSend } from './ethereum_prepared.ts';
import { amount, freeNonce, from, senderOf } from './ethereum_sender.ts';
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

  access: policy(),
  callsExternal: () => true,
  signs: true,

  load: (input) =>
    input.parameters.sponsor === true ? sponsoredSend(input) : ownSend(input.parameters, input),
  facts: ({ loaded }) => loaded.facts(),
  explain: ({ loaded }) => loaded.explain(),
  apply: ({ loaded, ...input }) => ({ sendTransactionStatusId: loaded.start(input) }),
});

/** Prepares a transaction without a sponsor. */
async function ownSend(
  parameters: AskedParameters & {
    readonly from: string;
    readonly caip2: string;
  } & { readonly [name in (typeof ofSponsored)[number]]?: string | undefined },
  { organization, read, services }: Pick<LoadInput<unknown>, 'organization' | 'read' | 'services'>,
): Promise<PreparedSend> {
  for (const name of ofSponsored) {
    if (parameters[name] === undefined) continue;
    failField(`parameters.${name}`, 'expected nothing: only sponsored transactions have it');
  }
  const { found, account, place } = await senderOf(parameters, { organization, read, services });
  const asked = requestedTransaction(parameters, place.caip2);
  services.rejectEarlyIfImpossible(found.facts, { isWhole: false });
  const filled = await services.external.fetchEthereumFields({
    caip2: place.caip2,
    from: place.address,
    to: `0x${hex(asked.to)}`,
    value: asked.value,
    data: `0x${hex(asked.data)}`,
    estimatesGas: asked.gas === undefined,
  });
  const fees = priceOf(asked, filled, { least: leastGas(asked) });
  const { used } = filled;
  const nonce = await freeNonce({ asked: asked.nonce, used, fees }, { place, organization, read });
  const unsignedTransaction = hex(composeEthereum(asked, { ...fees, nonce }));
  const { pause } = services;
  const readable = { unsignedTransaction, account, organization, read, pause };
  const { transaction, interfaces, explain } = await readWithInterfaces(readable);
  return {
    facts: () => transactionFacts({ found, transaction, interfaces }),
    explain,
    start: ({ activityId, organization: draft, submitter, keyring, context }) => {
      const signatures = keyring.signAll(found.key, account.scheme, transaction.signedBytes);
      const signed = transaction.attach(signatures);
      const origin = { submitterId: submitter.id, keyIds: keysUsedBy(found.facts) };
      const begun = { activityId, ...place, nonce, signed, userId: submitter.id, origin };
      return startSend(draft, begun, context).id;
    },
  };
}
