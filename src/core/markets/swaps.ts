// Swaps of tokens. An adapter knows the calls of one kind of market. The service serves Uniswap v3 by its
// public contracts: QuoterV2 names the output of a pool, and SwapRouter02 swaps within a bound.

import type { ContractRead } from '../balances/evm_questions.ts';
import type { SwapContracts } from '../balances/market_contracts.ts';
import { concatBytes } from '../base/bytes.ts';
import { dynamicBytes, listOf, word } from '../sends/abi_encoding.ts';
import type { StationCall } from '../sends/gas_station.ts';
import { addressBytes, callDataOf, contractRead } from './contract_call.ts';

/** A pair of tokens by their contracts; undefined is the coin of the chain. */
export type Pair = { readonly input: string | undefined; readonly output: string | undefined };

type Swap = Pair & {
  readonly amount: bigint;
  /** Fee of the pool in millionths. */
  readonly fee: bigint;
  /** The swap reverts where it gives less. */
  readonly minimum: bigint;
  /** Lower-case hex with `0x`. */
  readonly recipient: string;
  /** Seconds since 1970, after which the swap reverts. */
  readonly deadline: bigint;
};

/** The calls of a kind of market. Amounts are in the smallest unit. */
type SwapAdapter = {
  readonly provider: string;
  /** Asks for the output of a pool. */
  quote(of: SwapContracts, swap: Pick<Swap, 'input' | 'output' | 'amount' | 'fee'>): ContractRead;
  swap(of: SwapContracts, swap: Swap): StationCall;
};

/** SwapRouter02 reads this address as its own. */
const routerItself = 2n;

export const uniswapV3: SwapAdapter = {
  provider: 'UNISWAP_V3',
  quote: ({ quoter, wrappedCoin }, { input, output, amount, fee }) =>
    contractRead(quoter, 'quoteExactInputSingle((address,address,uint256,uint24,uint160))', [
      BigInt(input ?? wrappedCoin),
      BigInt(output ?? wrappedCoin),
      amount,
      fee,
      0n,
    ]),
  swap: ({ router, wrappedCoin }, { input, output, amount, fee, minimum, recipient, deadline }) => {
    const isUnwrapped = output === undefined;
    const swapped = callDataOf(
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
      [
        BigInt(input ?? wrappedCoin),
        BigInt(output ?? wrappedCoin),
        fee,
        isUnwrapped ? routerItself : BigInt(recipient),
        amount,
        minimum,
        0n,
      ],
    );
    const unwrapped = callDataOf('unwrapWETH9(uint256,address)', [minimum, BigInt(recipient)]);
    const calls = (isUnwrapped ? [swapped, unwrapped] : [swapped]).map(dynamicBytes);
    const head = callDataOf('multicall(uint256,bytes[])', [deadline]);
    const data = concatBytes(head, word(64n), listOf(calls));
    return { to: addressBytes(router), value: input === undefined ? amount : 0n, data };
  },
};
