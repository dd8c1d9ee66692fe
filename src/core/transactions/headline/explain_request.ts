// Explains the transaction of a signing or sending request from the signed parameters.

import { eip55 } from '../../address/ethereum.ts';
import { bytesOfHex } from '../../base/bytes.ts';
import type { EthereumTransaction } from '../../chains/ethereum/transaction.ts';
import type { Descriptions } from '../described.ts';
import { explainEthereum } from '../ethereum/explanation.ts';
import { type ExplainedTransaction, explainTransaction } from '../explain_signed.ts';
import { addressKey } from './headline.ts';

/** The parameters of an activity. */
export type Intent = Readonly<Record<string, unknown>>;

/** An account reported by a service. The report is untrusted. */
export type RequestSigner = {
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey: string;
};

/** Returns true if the activity signs or sends one transaction that its parameters describe. */
export const isTransactionRequest = (type: string): boolean =>
  /^ACTIVITY_TYPE_(SIGN|ETH_SEND|SOL_SEND)_TRANSACTION(_V\d+)?$/.test(type);

/** Returns the signing key named in the parameters, or an empty string. */
export function signerOf(intent: Intent): string {
  const { signWith, privateKeyId, signWiths, from } = intent;
  const [first] = Array.isArray(signWiths) ? signWiths : [];
  const named = [signWith, privateKeyId, first, from].find((value) => typeof value === 'string');
  return String(named ?? '');
}

/**
 * Explains the transaction of a request. Returns undefined for other requests and unreadable transactions. A
 * send to an Ethereum chain needs no account, because it names the sender by address.
 */
export function explainRequest(
  type: string,
  intent: Intent,
  account: RequestSigner | undefined,
  descriptions?: Descriptions,
): ExplainedTransaction | undefined {
  if (!isTransactionRequest(type)) return undefined;
  if (type.startsWith('ACTIVITY_TYPE_ETH_SEND')) return explainEthereumSend(intent, descriptions);
  if (account === undefined) return undefined;
  const transactionType = type.startsWith('ACTIVITY_TYPE_SOL_SEND')
    ? 'TRANSACTION_TYPE_SOLANA'
    : String(intent['type']);
  const unsigned = String(intent['unsignedTransaction']);
  return explainTransaction(transactionType, unsigned, account, descriptions);
}

const maximumChainDigits = 16;

/** Omits the fee, because the service sets fees and nonce. */
function explainEthereumSend(
  intent: Intent,
  descriptions: Descriptions | undefined,
): ExplainedTransaction | undefined {
  const { calls, from, caip2 } = intent;
  const [call, ...more]: readonly unknown[] = Array.isArray(calls) ? calls : [intent];
  const chain = String(caip2);
  const [, reference = ''] = /^eip155:([0-9]+)$/.exec(chain) ?? [];
  const sender = bytesOfAddress(from);
  if (typeof call !== 'object' || call === null || more.length > 0) return undefined;
  if (sender === undefined || reference === '' || reference.length > maximumChainDigits) {
    return undefined;
  }
  const { to, value = '0', data = '0x' } = call as Intent;
  const recipient = bytesOfAddress(to);
  const bytes = bytesOfHex(String(data).replace(/^0x/, ''));
  if (recipient === undefined || bytes === undefined || !/^[0-9]{1,78}$/.test(String(value))) {
    return undefined;
  }
  const transaction: EthereumTransaction = {
    ...emptyTransaction,
    chainId: BigInt(reference),
    to: recipient,
    value: BigInt(String(value)),
    data: bytes,
  };
  const address = eip55(addressKey(String(from)).slice(2));
  const account = { address, format: 'ADDRESS_FORMAT_ETHEREUM', publicKey: sender } as const;
  const { fee: _filledIn, ...explanation } = explainEthereum(
    transaction,
    account,
    new Map(),
    descriptions,
  );
  return { ...explanation, chain };
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
  return isAddress ? bytesOfHex(value.slice(2).toLowerCase()) : undefined;
}
