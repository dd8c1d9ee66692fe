// Calls that an Ethereum account sends and pays itself, each in its own transaction.

import { hex } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import { keysUsedBy } from '../../core/freezes/frozen.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { composeEthereum, priceOf, type RequestedTerms } from '../../core/sends/ethereum_send.ts';
import type { StationCall } from '../../core/sends/gas_station.ts';
import { leastGas } from '../../core/sends/least_gas.ts';
import { requireSendRoom } from '../../core/sends/nonces.ts';
import { startSend } from '../../core/sends/sends.ts';
import type { InterfaceTexts } from '../../core/transactions/described.ts';
import type { ReadTransaction } from '../../core/transactions/kinds.ts';
import { joinExplanations, sumOfFees } from '../../core/transactions/text/joined_explanations.ts';
import type { LoadInput } from '../operation.ts';
import type { OrderInput } from '../signing/external_keys.ts';
import { readWithInterfaces, transactionPart } from '../signing/transactions.ts';
import { type EthereumStart, type PreparedSend, sizeOnceSigned } from './ethereum_prepared.ts';
import { freeNonce, type Sender } from './ethereum_sender.ts';

type At = Pick<LoadInput<unknown>, 'organization' | 'read' | 'services'>;

/** An unsigned transaction. */
type Unsigned = {
  readonly nonce: bigint;
  readonly transaction: ReadTransaction;
  readonly interfaces: InterfaceTexts;
  readonly explain: () => TransactionExplanation;
};

/** A further call, which runs after those before it, so nodes cannot estimate its gas. */
export type LaterCall = StationCall & { readonly gas: bigint };

/**
 * Prepares the calls of a sender as transactions with nonces in sequence. The status of the last one stands
 * for all. Raises `field_invalid` and the errors of the services.
 */
export async function ownSend(
  of: {
    readonly sender: Sender;
    readonly terms: RequestedTerms;
    readonly call: StationCall;
    readonly later?: readonly LaterCall[];
  },
  { organization, read, services }: At,
): Promise<PreparedSend> {
  const { sender, terms, call, later = [] } = of;
  const { found, account, place } = sender;
  const { pause } = services;
  services.rejectEarlyIfImpossible(found.facts, { isWhole: false });
  const filled = await services.external.fetchEthereumFields({
    caip2: place.caip2,
    from: place.address,
    to: `0x${hex(call.to)}`,
    value: call.value,
    data: `0x${hex(call.data)}`,
    estimatesGas: terms.gas === undefined,
  });
  const all = [{ ...terms, ...call }, ...later.map((each) => ({ ...terms, ...each }))];
  const fees = all.map((each) => priceOf(each, filled, { least: leastGas(each) }));
  const [price] = fees;
  assert(price !== undefined, 'a request has a call');
  const { used } = filled;
  const first = await freeNonce(
    { asked: terms.nonce, used, fees: price, nonces: all.length },
    { place, organization, read },
  );
  const unsigned: Unsigned[] = [];
  const characters: number[] = [];
  for (const [i, each] of all.entries()) {
    const nonce = first + BigInt(i);
    const bytes = composeEthereum(each, { ...(fees[i] ?? price), nonce });
    characters.push(sizeOnceSigned(bytes));
    const unsignedTransaction = hex(bytes);
    const readable = { unsignedTransaction, account, organization, read, pause };
    unsigned.push({ nonce, ...(await readWithInterfaces(readable)) });
  }
  const { external: key } = found;
  const signedBytes = unsigned.flatMap(({ transaction }) => transaction.signedBytes);
  const requireWithinLimits = ({ organization: now, submitter: { id: userId } }: OrderInput) =>
    requireSendRoom(
      now,
      place,
      characters.map((each) => ({ characters: each, userId })),
    );
  return {
    ...(key === undefined ? {} : { external: { key, signedBytes, requireWithinLimits } }),
    facts: () => factsOf(sender, unsigned),
    explain: () => explanationOf(unsigned),
    start: (input) => start(sender, unsigned, input),
  };
}

/** Returns the facts with one part for each transaction. Policies decide on each part separately. */
function factsOf({ found: { facts } }: Sender, all: readonly Unsigned[]): Facts {
  const parts = all.map((each) => ({ ...transactionPart(each), moves: each.transaction }));
  return { ...facts, parts };
}

function explanationOf(all: readonly Unsigned[]): TransactionExplanation {
  const each = all.map(({ explain }) => explain());
  const fee = sumOfFees(each);
  return { ...joinExplanations(each), ...(fee === undefined ? {} : { fee }) };
}

/** Signs the transactions and stores them. Returns the ID of the last one. */
function start(
  { found, account, place }: Sender,
  all: readonly Unsigned[],
  { activityId, organization: draft, submitter, keyring, context, obtained }: EthereumStart,
): string {
  const origin = { submitterId: submitter.id, keyIds: keysUsedBy(found.facts) };
  const ids = all.map(({ nonce, transaction }, i) => {
    const signatures =
      obtained?.slice(i, i + 1) ??
      keyring.signAll(found.key, account.scheme, transaction.signedBytes);
    const signed = transaction.attach(signatures);
    const begun = { activityId, ...place, nonce, signed, userId: submitter.id, origin };
    return startSend(draft, begun, context).id;
  });
  const id = ids.at(-1);
  assert(id !== undefined, 'a request has a call');
  return id;
}
