// Reads the balances of an address from Solana's JSON-RPC.

import { base58, base64 } from '@scure/base';
import type { Chain } from './chains.ts';
import {
  ChainFault,
  listOf,
  matching,
  membersOf,
  type Question,
  type RpcCall,
  wholeNumber,
} from './node_answer.ts';

const commitment = 'confirmed';
/** Accounts of Token and Token-2022 begin with the mint, the owner and the amount (64 bits). */
const keyBytes = 32;
const dataSlice = { offset: 0, length: 72 };

/**
 * Reads the amounts of SOL and of each listed token in all accounts of an address (base58), in the newest
 * confirmed block, by CAIP-19.
 */
export function solanaAmounts(
  { coin, tokens }: Pick<Chain, 'coin' | 'tokens'>,
  address: string,
): Question<ReadonlyMap<string, string>> {
  const mints = tokens.map(
    ({ contract }): RpcCall => ({
      method: 'getTokenAccountsByOwner',
      // Filters by mint, because strangers may send an address any number of other tokens.
      params: [address, { mint: contract }, { commitment, encoding: 'base64', dataSlice }],
    }),
  );
  return {
    calls: [{ method: 'getBalance', params: [address, { commitment }] }, ...mints],
    read: ([balance, ...lists]) => {
      const amounts = new Map<string, string>();
      if (coin !== undefined)
        amounts.set(coin.caip19, String(wholeNumber(withoutContext(balance))));
      for (const [i, { caip19, contract }] of tokens.entries()) {
        const accounts = listOf(withoutContext(lists[i]));
        const sum = accounts.reduce(
          (all: bigint, each) => all + amountOf(each, contract, address),
          0n,
        );
        amounts.set(caip19, String(sum));
      }
      return amounts;
    },
  };
}

/** Returns the value next to the slot at which it was read. */
function withoutContext(result: unknown): unknown {
  return membersOf(result)['value'];
}

function amountOf(account: unknown, mint: string, owner: string): bigint {
  const [text] = listOf(membersOf(membersOf(account)['account'])['data']);
  // 72 bytes have no padding.
  const beginning = matching(text, /^[0-9A-Za-z+/]{96}$/, 'the beginning of a token account');
  const data = base64.decode(beginning);
  const isAsked =
    base58.encode(data.subarray(0, keyBytes)) === mint &&
    base58.encode(data.subarray(keyBytes, 2 * keyBytes)) === owner;
  if (!isAsked) throw new ChainFault('the node returned another token account');
  return new DataView(data.buffer, data.byteOffset).getBigUint64(2 * keyBytes, true);
}
