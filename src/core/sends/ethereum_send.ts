// Builds a transaction from a request to send and the values of a node.

import { bytesOfHex } from '../base/bytes.ts';
import { fillLimits } from '../chains/ethereum/fill_limits.ts';
import { writeEthereum } from '../chains/ethereum/write.ts';
import { assert, failField } from '../errors/errors.ts';
import type { StationCall } from './gas_station.ts';
import { requireGas } from './least_gas.ts';
import { mostGas, requireNoMoreGas } from './most_gas.ts';

/** Recipient, value and data in the parameters. */
export type EthereumSendParameters = RequestedAmounts & {
  readonly calls: readonly {
    readonly to: string;
    readonly value?: string | undefined;
    readonly data?: string | undefined;
  }[];
};

/** Nonce and price in the parameters. */
type RequestedAmounts = {
  readonly nonce?: string | undefined;
  readonly gasLimit?: string | undefined;
  readonly maxFeePerGas?: string | undefined;
  readonly maxPriorityFeePerGas?: string | undefined;
};

/** A transaction in the parameters; undefined members are fetched. */
type RequestedTransaction = RequestedTerms & StationCall;

/** Chain and price in the parameters. */
export type RequestedTerms = {
  readonly chainId: bigint;
  readonly nonce: bigint | undefined;
  readonly gas: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
};

/** The gas of a transaction, and its fees in wei for a unit of gas. */
export type Price = {
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** The node's values; `gas` only if the request does not name it. */
type FilledIn = {
  readonly baseFee: bigint;
  readonly tip: bigint;
  readonly gas: bigint | undefined;
};

/** The gas of a transfer without data. */
const transferGas = 21_000n;

/** Returns the only call in the parameters. Raises `field_invalid`. */
export function requestedCall(parameters: Pick<EthereumSendParameters, 'calls'>): StationCall {
  const [call, ...more] = requestedCalls(parameters);
  if (call === undefined || more.length > 0) {
    const got = `got ${parameters.calls.length}: only a sponsor sends several`;
    failField('parameters.calls', `expected one call, ${got}`);
  }
  return call;
}

/** Returns the calls in the parameters. Raises `field_invalid`. */
export function requestedCalls({
  calls,
}: Pick<EthereumSendParameters, 'calls'>): readonly StationCall[] {
  return calls.map((call, i) => {
    const at = `parameters.calls.${i}`;
    return {
      to: ethereumAddressOf(`${at}.to`, call.to),
      value: call.value === undefined ? 0n : amountOf(`${at}.value`, call.value),
      data: callDataOf(`${at}.data`, call.data),
    };
  });
}

/** Returns the chain and price in the parameters, for a chain by its CAIP-2 name. Raises `field_invalid`. */
export function requestedTerms(parameters: RequestedAmounts, caip2: string): RequestedTerms {
  const amount = (member: keyof RequestedAmounts) => {
    const text = parameters[member];
    return text === undefined ? undefined : amountOf(`parameters.${member}`, text);
  };
  return {
    chainId: chainIdOf(caip2),
    nonce: amount('nonce'),
    gas: amount('gasLimit'),
    maxFeePerGas: amount('maxFeePerGas'),
    maxPriorityFeePerGas: amount('maxPriorityFeePerGas'),
  };
}

/** Returns the chain ID in a CAIP-2 name of Ethereum. */
export function chainIdOf(caip2: string): bigint {
  return BigInt(caip2.split(':')[1] ?? '');
}

/** Returns the bytes of the unsigned transaction (EIP-1559). */
export function composeEthereum(
  { chainId, to, value, data }: RequestedTransaction,
  { nonce, ...price }: Price & { readonly nonce: bigint },
): Uint8Array {
  return writeEthereum({
    type: 'TYPE_2',
    chainId,
    nonce,
    ...price,
    to,
    value,
    data,
    accessList: [],
    blobVersionedHashes: [],
    authorizationList: [],
  });
}

/**
 * Returns the price of a transaction: values of the request, else of the node. The fee is at most twice the
 * base fee of the next block plus the tip, so that the transaction also lands after some full blocks. `more`
 * is gas beyond the node's estimate, and `least` the minimum for any block. Raises `field_invalid` in four
 * cases: the request names less gas than that, more gas than blocks hold, the node exceeds `fillLimits`, or
 * the tip exceeds the fee.
 */
export function priceOf(
  asked: RequestedTerms,
  filled: FilledIn,
  { least, more = 0n }: { readonly least: bigint; readonly more?: bigint },
): Price {
  if (asked.gas !== undefined) requireGas(asked.gas, least, 'parameters.gasLimit');
  const gas = asked.gas ?? higher(withMargin(filled.gas, asked.chainId) + more, least);
  requireNoMoreGas(gas, asked.chainId, 'parameters.gasLimit');
  const tip = asked.maxPriorityFeePerGas ?? bounded('maxPriorityFeePerGas', filled.tip);
  const fee = asked.maxFeePerGas ?? bounded('maxFeePerGas', 2n * filled.baseFee + tip);
  if (tip > fee) {
    const expected = `expected at most \`maxFeePerGas\`, which is ${fee}, got ${tip}`;
    failField('parameters.maxPriorityFeePerGas', expected);
  }
  const isNamed = asked.gas !== undefined && asked.maxFeePerGas !== undefined;
  if (!isNamed && gas * fee > fillLimits.total) {
    const asks = `the node asks for ${gas} gas at ${fee} wei`;
    failField('parameters.maxFeePerGas', `expected it and \`gasLimit\` to be set: ${asks}`);
  }
  return { gas, maxFeePerGas: fee, maxPriorityFeePerGas: tip };
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Adds a fifth to the node's estimate, up to the chain's limit, because the state may change. */
function withMargin(estimated: bigint | undefined, chainId: bigint): bigint {
  assert(estimated !== undefined, 'the node was asked where the request names no gas');
  const gas = estimated <= transferGas ? transferGas : (estimated * 6n) / 5n;
  const most = mostGas(chainId);
  if (most !== undefined && estimated <= most && gas > most) return most;
  if (gas <= fillLimits.gas) return gas;
  return failField('parameters.gasLimit', `expected it to be set: the node asks for ${gas}`);
}

function bounded(member: 'maxFeePerGas' | 'maxPriorityFeePerGas', wei: bigint): bigint {
  if (wei <= fillLimits.maxFeePerGas) return wei;
  return failField(`parameters.${member}`, `expected it to be set: the node asks for ${wei} wei`);
}

/** An amount of a request: decimal, or hex with `0x`; below 2^256. Raises `field_invalid`. */
export function amountOf(field: string, text: string): bigint {
  const isAmount = /^(?:[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text);
  const amount = isAmount ? BigInt(text) : -1n;
  if (amount >= 0n && amount < 2n ** 256n) return amount;
  return failField(field, 'expected an amount in decimal digits, or in hex with `0x`');
}

/** Parses an address of a request. Raises `field_invalid`. */
function ethereumAddressOf(field: string, text: string): Uint8Array {
  const bytes = /^0x[0-9a-fA-F]{40}$/.test(text) ? bytesOfHex(text.slice(2)) : undefined;
  return bytes ?? failField(field, 'expected an Ethereum address, `0x` and 40 hex digits');
}

/** Parses optional call data of a request. Raises `field_invalid`. */
function callDataOf(field: string, text: string | undefined): Uint8Array {
  const bytes = /^0x/i.test(text ?? '0x') ? bytesOfHex((text ?? '0x').slice(2)) : undefined;
  return bytes ?? failField(field, 'expected hex digits, two for each byte, with `0x`');
}
