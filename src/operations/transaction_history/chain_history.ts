// Shared parts of both operations on the transaction history of an address.

import { signingSpellings } from '../../core/address/normalization.ts';
import { amountText } from '../../core/balances/amount_text.ts';
import type { Asset } from '../../core/balances/chains.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import type { DeployedChain } from '../../core/external/external_services.ts';
import { watchedAddressOf } from '../../core/organization/indexes/indexes.ts';
import type { ChainTransaction } from '../../core/organization/records/chain_transactions.ts';
import {
  answerInteger,
  answerList,
  answerText,
  boolean,
  object,
  oneOf,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { caip2 } from '../balances/chain_of.ts';
import { isFromEnd, pageOf } from '../page.ts';
import type { Reader, SeenTransaction } from '../reader.ts';
import { pagination } from '../shapes.ts';

export const historyBody = () =>
  object({
    address: text({ minimum: 1, maximum: 256 }),
    caip2: caip2(),
    paginationOptions: pagination(),
  });

/** The common members of transactions of all families. */
export const historyMembers = () => ({
  block: object({ number: answerText(), hash: answerText(), timestamp: answerText() }),
  status: oneOf(['CONFIRMED', 'FINALIZED']),
  origin: answerText(),
  executionFailed: optional(boolean()),
  fee: object({ amount: answerText(), caip19: answerText() }),
  transfers: answerList(
    object({
      direction: oneOf(['IN', 'OUT']),
      asset: optional(
        object({
          caip19: answerText(),
          symbol: answerText(),
          name: answerText(),
          decimals: answerInteger(),
        }),
      ),
      amount: answerText(),
      counterparty: answerText(),
      display: optional(object({ crypto: answerText(), usd: answerText() })),
    }),
  ),
  turnkey: optional(
    object({
      sponsored: boolean(),
      activityFingerprint: optional(answerText()),
      submittedAt: optional(answerText()),
    }),
  ),
});

export const historyPageInfo = () =>
  object({
    hasNextPage: boolean(),
    hasPreviousPage: boolean(),
    startCursor: optional(answerText()),
    endCursor: optional(answerText()),
  });

type HistoryQuery = {
  readonly address: string;
  readonly paginationOptions?: Parameters<typeof pageOf>[0];
};

/**
 * Returns a page of the history of a wallet account's address, newest first, with a view of each transaction.
 * Raises `wallet_account_not_found`, `field_invalid`.
 */
export async function historyPage<Item>(
  read: Reader,
  chain: DeployedChain,
  { address: asked, paginationOptions }: HistoryQuery,
  viewOf: (transaction: ChainTransaction) => Item,
) {
  const address = await watchedAddress(read, chain, asked);
  const page = pageOf(paginationOptions);
  // One row more than shown reveals whether the list continues.
  const found = await read.chainTransactions(chain, address, { ...page, limit: page.limit + 1 });
  const fromEnd = isFromEnd(page);
  const shown = fromEnd ? found.slice(-page.limit) : found.slice(0, page.limit);
  const goesOn = found.length > shown.length;
  const [startCursor, endCursor] = [shown[0], shown.at(-1)].map((each) => each?.transaction.id);
  const isFirst = page.before === undefined && page.after === undefined;
  const beside = fromEnd
    ? { before: undefined, after: endCursor ?? page.before }
    : { before: startCursor ?? page.after, after: undefined };
  const others = isFirst
    ? []
    : await read.chainTransactions(chain, address, { ...beside, limit: 1 });
  const hasOther = others.length > 0;
  const origins = await originsOf(read, chain, shown);
  return {
    transactions: shown.map(({ transaction, status }) => ({
      ...viewOf(transaction),
      ...historyView(chain, transaction),
      status,
      ...(origins.get(transaction.txHash) ?? { origin: 'EXTERNAL' }),
    })),
    pageInfo: {
      hasNextPage: fromEnd ? hasOther : goesOn,
      hasPreviousPage: fromEnd ? goesOn : hasOther,
      ...(startCursor === undefined || endCursor === undefined ? {} : { startCursor, endCursor }),
    },
  };
}

async function watchedAddress(
  read: Reader,
  { caip2: name }: DeployedChain,
  address: string,
): Promise<string> {
  const accounts = await read.walletAccountsByAddress(signingSpellings(address));
  if (accounts.length === 0) fail('wallet_account_not_found', { by: 'address', value: address });
  const held = accounts.map(watchedAddressOf);
  const account = held.find((each) => each && name.startsWith(`${each.prefix}:`));
  return (
    account?.address ?? failField('address', `expected an address of \`${name}\`, got another one`)
  );
}

function historyView({ caip2: name, assets }: DeployedChain, transaction: ChainTransaction) {
  const { block, fee, transfers, hasFailed } = transaction;
  const coin = assets.find(({ caip19 }) => caip19.startsWith(`${name}/slip44:`));
  return {
    block: {
      number: String(block.number),
      hash: block.hash,
      timestamp: new Date(block.timestampMs).toISOString(),
    },
    ...(hasFailed ? { executionFailed: true } : {}),
    // A chain without a coin charges fees in tokens, which are transfers.
    fee: coin === undefined ? { amount: '0', caip19: '' } : { amount: fee, caip19: coin.caip19 },
    transfers: transfers.map(({ direction, caip19, amount, counterparty = '' }) => ({
      direction,
      ...assetMembers(
        assets.find((asset) => asset.caip19 === caip19),
        amount,
      ),
      amount,
      counterparty,
    })),
  };
}

/** Returns nothing for an asset that the operator has removed from the list. */
function assetMembers(asset: Asset | undefined, amount: string) {
  if (asset === undefined) return {};
  // Typed clients reject a display without the member.
  return { asset, display: { crypto: amountText(amount, asset.decimals), usd: '' } };
}

/** Returns the origins of transactions that the organization sent through the service, by hash. */
async function originsOf(
  read: Reader,
  { caip2: name }: DeployedChain,
  shown: readonly SeenTransaction[],
) {
  const hashes = [...new Set(shown.map(({ transaction }) => transaction.txHash))];
  const sends = [...(await read.sends(await read.sendsOf(name, hashes))).values()];
  const own = sends.filter((send) => send.caip2 === name && hashes.includes(send.transactionHash));
  const entries = await Promise.all(
    own.map(async ({ transactionHash, activityId, createdAtMs, isSponsored = false }) => {
      const activity = await read.activity(activityId);
      const turnkey = {
        sponsored: isSponsored,
        ...(activity === undefined ? {} : { activityFingerprint: activity.fingerprint }),
        submittedAt: new Date(createdAtMs).toISOString(),
      };
      return [transactionHash, { origin: 'TURNKEY', turnkey }] as const;
    }),
  );
  return new Map(entries);
}
