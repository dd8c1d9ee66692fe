// Explains the transactions of a signing or sending request from the signed parameters.

import { eip55 } from '../../address/ethereum.ts';
import { chainNameOf } from '../../balances/chain_names.ts';
import { bytesOfHex } from '../../base/bytes.ts';
import type { EthereumTransaction } from '../../chains/ethereum/transaction.ts';
import type { Descriptions } from '../described.ts';
import { explainEthereum } from '../ethereum/explanation.ts';
import { bitcoinTestNetwork } from '../ethereum/known_chains.ts';
import { type ExplainedTransaction, explainTransaction } from '../explain_signed.ts';
import { joinExplanations } from '../text/joined_explanations.ts';
import { addressKey } from './headline.ts';
import { explainMarketRequest } from './market_request.ts';
import type { ReportedMarket } from './market_terms.ts';
import { type Intent, isTransactionRequest, marketKindOf } from './request_types.ts';
import { amountIn, chainIdIn, requestedFee, sponsoredFee } from './requested_fee.ts';

/** An account reported by a service. The report is untrusted. */
export type RequestSigner = {
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey: string;
};

/** Returns the signing key named in the parameters, or an empty string. */
export function signerOf(intent: Intent): string {
  const { signWith, privateKeyId, signWiths, from, walletAccount } = intent;
  const [first] = Array.isArray(signWiths) ? signWiths : [];
  const members = [signWith, privateKeyId, first, from, walletAccount];
  const named = members.find((value) => typeof value === 'string');
  return String(named ?? '');
}

/** Descriptions and markets as reported by a service. */
export type Reported = {
  readonly descriptions?: Descriptions | undefined;
  readonly market?: ReportedMarket | undefined;
};

/**
 * Explains the transactions of a request. Returns undefined for other requests and unreadable transactions. A
 * request to an Ethereum chain needs no account, because it names the sender by address.
 */
export function explainRequest(
  type: string,
  intent: Intent,
  account: RequestSigner | undefined,
  { descriptions, market }: Reported = {},
): ExplainedTransaction | undefined {
  if (!isTransactionRequest(type)) return undefined;
  const marketKind = marketKindOf(type);
  if (marketKind !== undefined) return explainMarketRequest(marketKind, intent, market);
  if (type.startsWith('ACTIVITY_TYPE_ETH_SEND')) return explainEthereumSend(intent, descriptions);
  if (account === undefined) return undefined;
  const isSolanaSend = type.startsWith('ACTIVITY_TYPE_SOL_SEND');
  const transactionType = isSolanaSend ? 'TRANSACTION_TYPE_SOLANA' : String(intent['type']);
  const unsigned = String(intent['unsignedTransaction']);
  const signers: readonly unknown[] = Array.isArray(intent['signWiths']) ? intent['signWiths'] : [];
  const others = isSolanaSend ? signers.slice(1, maximumSigners).map(String) : [];
  const all = { ...account, others };
  const explained = explainTransaction(transactionType, unsigned, all, descriptions);
  if (explained === undefined) return undefined;
  const isSponsored = isSolanaSend && intent['sponsor'] === true;
  return {
    ...explained,
    requestedChain: isSolanaSend
      ? chainNameOf(String(intent['caip2']))
      : bitcoinTestNetwork(account.addressFormat),
    ...(isSponsored && { fee: sponsoredFee('SOL') }),
  };
}

/** Maximum number of accounts that sign a transaction of Solana. */
const maximumSigners = 16;

/** Maximum number of calls in an explanation. Only sponsored requests have several. */
const maximumCalls = 50;

/** Explains the calls of a request to send, with the fee that the service may fill in. */
function explainEthereumSend(
  intent: Intent,
  descriptions: Descriptions | undefined,
): ExplainedTransaction | undefined {
  const { calls, from, caip2 } = intent;
  const asked: readonly unknown[] = Array.isArray(calls) ? calls : [intent];
  const chain = String(caip2);
  const chainId = chainIdIn(chain);
  const sender = bytesOfAddress(from);
  if (sender === undefined || chainId === undefined || asked.length > maximumCalls) {
    return undefined;
  }
  const address = eip55(addressKey(String(from)).slice(2));
  const account = { address, format: 'ADDRESS_FORMAT_ETHEREUM', publicKey: sender } as const;
  const transactions = asked.map((call) => transactionOf(call, chainId));
  const read = transactions.filter((transaction) => transaction !== undefined);
  if (read.length === 0 || read.length < asked.length) return undefined;
  const explanation = joinExplanations(
    read.map((transaction) => explainEthereum(transaction, account, new Map(), descriptions)),
  );
  const { fee: _ofNoGas, ...rest } = explanation;
  const fee = requestedFee(intent, chain);
  return { ...rest, ...(fee === undefined ? {} : { fee }), chain };
}

/** Returns the transaction of one call, without gas and nonce, which the service sets. */
function transactionOf(call: unknown, chainId: bigint): EthereumTransaction | undefined {
  if (typeof call !== 'object' || call === null) return undefined;
  const { to, value = '0', data = '0x' } = call as Intent;
  const recipient = bytesOfAddress(to);
  const amount = amountIn(value);
  const bytes = bytesOfHex(String(data).replace(/^0x/, ''));
  if (recipient === undefined || bytes === undefined || amount === undefined) return undefined;
  return { ...emptyTransaction, chainId, to: recipient, value: amount, data: bytes };
}

const emptyTransaction = {
  type: 'TYPE_2',
  bytes: new Uint8Array(),
  nonce: 0n,
  gas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  accessList: [],
  blobVersionedHashes: [],
  authorizationList: [],
} as const;

function bytesOfAddress(value: unknown): Uint8Array | undefined {
  const isAddress = typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
  return isAddress ? bytesOfHex(value.slice(2)) : undefined;
}
