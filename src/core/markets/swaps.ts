// Swaps of tokens. Each adapter encodes the calls of one kind of market. Uniswap v3 uses its public
// contracts: QuoterV2 quotes the output of a pool, and SwapRouter02 swaps with a minimum output.

import type { ContractRead } from '../balances/evm_questions.ts';
import type { SwapContracts } from '../balances/market_contracts.ts';
import { concatBytes } from '../base/bytes.ts';
import type { SwapFee } from '../organization/records/market_settings.ts';
import { dynamicBytes, listOf, word } from '../sends/abi_encoding.ts';
import type { StationCall } from '../sends/gas_station.ts';
import { addressBytes, callDataOf, contractRead } from './contract_call.ts';

/** The contracts of two tokens; undefined means the coin of the chain. */
export type Pair = { readonly input: string | undefined; readonly output: string | undefined };

type Swap = Pair & {
  readonly amount: bigint;
  /** Fee of the pool in millionths. */
  readonly fee: bigint;
  /** The swap reverts if the recipient would receive less. */
  readonly minimum: bigint;
  /** Share of the output for a fee receiver. Optional. */
  readonly share?: SwapFee | undefined;
  /** Lower-case hex with `0x`. */
  readonly recipient: string;
  /** In seconds since 1970; the swap reverts afterwards. */
  readonly deadline: bigint;
};

/** The calls of a kind of market. Amounts are in the smallest unit. */
type SwapAdapter = {
  readonly provider: string;
  /** Reads the output of a pool. */
  quote(of: SwapContracts, swap: Pick<Swap, 'input' | 'output' | 'amount' | 'fee'>): ContractRead;
  swap(of: SwapContracts, swap: Swap): StationCall;
};

/** SwapRouter02 reads this address as its own. */
const routerItself = 2n;
const allBps = 10_000n;

/** Maximum fee of SwapRouter02, in basis points. */
export const maximumFeeBps = 100;

/** Returns the output after the fee, as SwapRouter02 computes it. */
export const afterFee = (output: bigint, fee: SwapFee | undefined): bigint =>
  output - (output * BigInt(fee?.bps ?? 0)) / allBps;

/** Returns the least output that is at least `minimum` after the fee. */
function beforeFee(minimum: bigint, fee: SwapFee | undefined): bigint {
  const rest = allBps - BigInt(fee?.bps ?? 0);
  return (minimum * allBps + rest - 1n) / rest;
}

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
  swap: ({ router, wrappedCoin }, { input, output, amount, fee, share, recipient, ...bounds }) => {
    const minimum = beforeFee(bounds.minimum, share);
    const isPassedOn = output === undefined || share !== undefined;
    const swapped = callDataOf(
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
      [
        BigInt(input ?? wrappedCoin),
        BigInt(output ?? wrappedCoin),
        fee,
        isPassedOn ? routerItself : BigInt(recipient),
        amount,
        minimum,
        0n,
      ],
    );
    const passedOn = () => passOn(output, { minimum, recipient, share });
    const calls = (isPassedOn ? [swapped, passedOn()] : [swapped]).map(dynamicBytes);
    const head = callDataOf('multicall(uint256,bytes[])', [bounds.deadline]);
    const data = concatBytes(head, word(64n), listOf(calls));
    return { to: addressBytes(router), value: input === undefined ? amount : 0n, data };
  },
};

/** Pays out what the router received: tokens, or the coin of the chain for an undefined output. */
function passOn(
  output: string | undefined,
  { minimum, recipient, share }: Pick<Swap, 'minimum' | 'recipient' | 'share'>,
): Uint8Array {
  const to = BigInt(recipient);
  if (share === undefined) return callDataOf('unwrapWETH9(uint256,address)', [minimum, to]);
  const words = [minimum, to, BigInt(share.bps), BigInt(share.receiver)];
  return output === undefined
    ? callDataOf('unwrapWETH9WithFee(uint256,address,uint256,address)', words)
    : callDataOf('sweepTokenWithFee(address,uint256,address,uint256,address)', [
        BigInt(output),
        ...words,
      ]);
}
