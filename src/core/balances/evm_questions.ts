// Reads the balance of an address and the number of its transactions, from Ethereum's JSON-RPC.

import { assetsOf, type Chain } from './chains.ts';
import { numberOf, quantityOf } from './evm_values.ts';
import type { Question, RpcCall } from './node_answer.ts';

/** The first four bytes of keccak-256 of `balanceOf(address)`. */
const balanceOf = '0x70a08231';

/**
 * Reads the amounts of the chain's coin and tokens at an address (`0x`, lower case) in the newest block, by
 * CAIP-19.
 */
export function evmAmounts(
  { coin, tokens }: Pick<Chain, 'coin' | 'tokens'>,
  address: string,
): Question<ReadonlyMap<string, string>> {
  const coins: readonly RpcCall[] = [{ method: 'eth_getBalance', params: [address, 'latest'] }];
  const word = address.slice(2).padStart(64, '0');
  const contracts = tokens.map(
    ({ contract }): RpcCall => ({
      method: 'eth_call',
      params: [{ to: contract, data: `${balanceOf}${word}` }, 'latest'],
    }),
  );
  const assets = assetsOf({ coin, tokens });
  return {
    calls: [...(coin === undefined ? [] : coins), ...contracts],
    read: (results) =>
      new Map(assets.map(({ caip19 }, i) => [caip19, String(amountOf(results[i]))])),
  };
}

/** Reads the number of mined transactions of an address (`0x`, lower case), decimal. */
export function evmTransactionCount(address: string): Question<string> {
  return {
    calls: [{ method: 'eth_getTransactionCount', params: [address, 'latest'] }],
    read: ([count]) => String(numberOf(count)),
  };
}

/** A read-only call, in lower-case hex with `0x`. */
export type ContractRead = { readonly to: string; readonly data: string };

/** Reads the first word of a call's result; undefined for a shorter result. */
export function evmValue(call: ContractRead): Question<bigint | undefined> {
  return {
    calls: [{ method: 'eth_call', params: [call, 'latest'] }],
    read: ([result]) => {
      const isWord = typeof result === 'string' && /^0x[0-9a-f]{64}/i.test(result);
      return isWord ? BigInt(result.slice(0, 66)) : undefined;
    },
  };
}

/** A contract that does not exist yet returns no data, which means a balance of zero. */
function amountOf(result: unknown): bigint {
  return result === '0x' ? 0n : quantityOf(result);
}
