// A node's view of a pending Solana transaction.

import { ChainFault } from '../../core/balances/node_answer.ts';
import { equalBytes } from '../../core/base/bytes.ts';
import type { SolanaFailure, SolanaLifetime } from '../../core/organization/records/sends.ts';
import { solanaErrorOf } from '../../core/sends/solana_failure.ts';
import {
  executionIn,
  finalBlockIn,
  isRecentIn,
  messageIn,
  nonceIn,
  numberOf,
  signaturesIn,
  statusIn,
} from '../../core/sends/solana_node.ts';
import {
  agreedSolana,
  type SolanaEnd,
  type SolanaSeen,
  solanaProgressAfter,
} from '../../core/sends/solana_progress.ts';
import type { JsonRpc } from '../chains/json_rpc.ts';
import { type Look, outcomeOf, progressOf, seenBy, type UnsettledSend } from './look.ts';

const finalized = { commitment: 'finalized' };
/** Versions to request, highest first. A node that does not know one accepts a lower one. */
const supportedVersions = [1, 0];
/** Maximum transactions of an address to compare with a transaction that the payer may have signed again. */
const maximumTwins = 200;

export const lookAtSolana: Look = async (of, send, maySend) => {
  const lifespan = lifespanOf(send);
  const seen = await seenBy(of, (node) => look(node, { ...send, ...lifespan }, maySend));
  const isIncluded = seen.every(({ inclusion }) => inclusion !== undefined);
  const shown = agreedSolana(seen, of.nodes.length, lifespan);
  const outcome = outcomeOf(seen, shown, of);
  if (shown === undefined) return { isIncluded, news: undefined, outcome };
  const known = { ...progressOf(send), ...lifespan, givenUp: send.givenUp };
  const isNews = solanaProgressAfter(known, shown) !== undefined;
  return { isIncluded, news: isNews ? writtenSeen(shown) : undefined, outcome };
};

type WatchedSend = Pick<UnsettledSend, 'address' | 'signedTransaction' | 'transactionHash'> & {
  readonly lifetime: SolanaLifetime;
  readonly sinceSlot: number;
  readonly isPaidByOthers: boolean;
};

/** Looks up a transaction, and sends it to the node if `maySend` allows it. Raises `ChainFault`. */
async function look(
  call: JsonRpc,
  asked: WatchedSend,
  maySend: () => Promise<boolean>,
): Promise<SolanaSeen> {
  const { transactionHash: signature, signedTransaction, lifetime, sinceSlot } = asked;
  const before = await inclusionOf(call, signature);
  if (before.inclusion !== undefined) return { ...before, isTaken: true, end: undefined };
  const isTaken = (await maySend()) && (await send(call, signedTransaction, signature));
  const end = await endOf(call, lifetime);
  if (end === undefined || end.slot < sinceSlot) return { ...before, isTaken, end: undefined };
  const firstSlot = numberOf(await call('getFirstAvailableBlock', []));
  if (asked.isPaidByOthers) {
    const twin = await twinOf(call, asked, end.slot);
    if (twin === 'unknown') return { ...before, isTaken, end: undefined };
    if (twin !== undefined) {
      const found = await inclusionOf(call, twin);
      const inclusion = found.inclusion && { ...found.inclusion, signature: twin };
      return { slot: found.slot, inclusion, isTaken, end: undefined };
    }
  }
  // Looks again, because a transaction that landed before the end is found by now.
  const after = await inclusionOf(call, signature);
  return {
    ...after,
    isTaken: isTaken || after.inclusion !== undefined,
    end: { ...end, firstSlot },
  };
}

/**
 * Returns the signature under which the payer's other signature brought the same message to the chain, up to
 * a final block. The network accepts a message once, so this transaction landed with it. Returns `unknown` if
 * there are too many to compare.
 */
async function twinOf(
  call: JsonRpc,
  { address, signedTransaction, sinceSlot }: WatchedSend,
  minContextSlot: number,
): Promise<string | undefined> {
  const form = { ...finalized, limit: maximumTwins, minContextSlot };
  const found = signaturesIn(await call('getSignaturesForAddress', [address, form]));
  // A freeze withholds the message used for comparison.
  if (signedTransaction === '') return 'unknown';
  const since = found.filter(({ slot }) => slot >= sinceSlot);
  const message = messageIn({ transaction: [signedTransaction] });
  for (const { signature } of since) {
    const other = await transactionOf(call, signature, 'base64');
    if (other === undefined) return 'unknown';
    if (equalBytes(messageIn(other), message)) return signature;
  }
  return since.length < maximumTwins ? undefined : 'unknown';
}

async function inclusionOf(
  call: JsonRpc,
  signature: string,
): Promise<Pick<SolanaSeen, 'slot' | 'inclusion'>> {
  const asked = [[signature], { searchTransactionHistory: true }];
  const { slot, value } = statusIn(await call('getSignatureStatuses', asked));
  if (value === undefined) return { slot, inclusion: undefined };
  const { transactionErrorJson } = value;
  const inclusion = { slot: value.slot, level: value.level };
  if (transactionErrorJson === undefined) return { slot, inclusion };
  const reported = await failureIn(call, signature);
  const failure = { source: 'execution', ...reported, transactionErrorJson };
  return { slot, inclusion: { ...inclusion, error: solanaErrorOf(failure) } };
}

/** Returns the failure from the program logs if the node still has them. */
async function failureIn(call: JsonRpc, signature: string): Promise<SolanaFailure | undefined> {
  try {
    const found = await transactionOf(call, signature, 'json');
    return found === undefined ? undefined : executionIn(found);
  } catch (error) {
    if (!(error instanceof ChainFault)) throw error;
    return undefined;
  }
}

/** Returns a transaction in a block; undefined if the node does not have it. */
async function transactionOf(call: JsonRpc, signature: string, encoding: string): Promise<unknown> {
  for (const maxSupportedTransactionVersion of supportedVersions) {
    const form = { encoding, commitment: 'confirmed', maxSupportedTransactionVersion };
    try {
      return (await call('getTransaction', [signature, form])) ?? undefined;
    } catch (error) {
      if (!(error instanceof ChainFault)) throw error;
    }
  }
  return undefined;
}

/** Returns the end of a lifetime in the newest final block; undefined while the transaction can land. */
async function endOf(
  call: JsonRpc,
  lifetime: SolanaLifetime,
): Promise<Omit<SolanaEnd, 'firstSlot'> | undefined> {
  if ('nonceAccount' in lifetime) {
    const form = { ...finalized, encoding: 'base64' };
    const { slot, value } = nonceIn(await call('getAccountInfo', [lifetime.nonceAccount, form]));
    return value === lifetime.hash ? undefined : { slot, height: undefined, nonce: value };
  }
  const { slot, height } = finalBlockIn(await call('getEpochInfo', [finalized]));
  if (height <= lifetime.lastBlockHeight) return undefined;
  const recent = isRecentIn(await call('isBlockhashValid', [lifetime.hash, finalized]));
  return recent.value ? undefined : { slot, height, nonce: undefined };
}

/** Sends a transaction. Returns true if the node accepted it. It was simulated before it was signed. */
async function send(call: JsonRpc, transaction: string, signature: string): Promise<boolean> {
  try {
    const form = { encoding: 'base64', skipPreflight: true };
    return (await call('sendTransaction', [transaction, form])) === signature;
  } catch (error) {
    if (!(error instanceof ChainFault) || error.code === undefined) throw error;
    return false;
  }
}

function lifespanOf({
  solana,
}: UnsettledSend): Pick<WatchedSend, 'lifetime' | 'sinceSlot' | 'isPaidByOthers'> {
  if (solana === undefined) throw new Error('the enclave names no lifetime of a transaction');
  const { hash, lastBlockHeight, nonceAccount = '', ...rest } = solana;
  if (lastBlockHeight === undefined) return { lifetime: { hash, nonceAccount }, ...rest };
  return { lifetime: { hash, lastBlockHeight }, ...rest };
}

function writtenSeen({ slot, isTaken, inclusion, end }: SolanaSeen) {
  const absent = {
    transactionErrorJson: undefined,
    logs: undefined,
    unitsConsumed: undefined,
    innerInstructionsJson: undefined,
  };
  const failure = inclusion?.error?.solana;
  return {
    ethereum: undefined,
    solana: {
      slot,
      isTaken,
      end,
      inclusion: inclusion && {
        slot: inclusion.slot,
        level: inclusion.level,
        signature: inclusion.signature,
        failure: failure && { ...absent, ...failure },
      },
    },
  };
}
