// Calls that look like those of a token: ERC-20 on Ethereum and Tempo, TRC-20 on Tron. The bytes say
// which function is meant, not what the contract makes of it.

import { hex } from '../base/bytes.ts';

/** Call data that looks like a function of a token. Accounts are 20 bytes. */
export type TokenCall = {
  /** The function with the types of its parameters. */
  readonly signature: string;
  readonly effect: 'transfer' | 'approval';
  /** Whose tokens are moved; absent: the caller's. */
  readonly from?: Uint8Array;
  /** Who gets the tokens, or may spend them. */
  readonly to: Uint8Array;
  /** In the smallest unit; of an approval the allowance, or what is added to it. */
  readonly amount: bigint;
};

type Row = { readonly effect: TokenCall['effect']; readonly parameters: readonly Parameter[] };
type Parameter = 'from' | 'to' | 'amount' | 'memo';

/** Functions by name and selector; a selector is the start of the Keccak-256 of the signature. */
const functions: ReadonlyMap<string, Row & { readonly signature: string }> = new Map(
  Object.entries({
    a9059cbb: {
      signature: 'transfer(address,uint256)',
      effect: 'transfer',
      parameters: ['to', 'amount'],
    },
    '23b872dd': {
      signature: 'transferFrom(address,address,uint256)',
      effect: 'transfer',
      parameters: ['from', 'to', 'amount'],
    },
    '95777d59': {
      signature: 'transferWithMemo(address,uint256,bytes32)',
      effect: 'transfer',
      parameters: ['to', 'amount', 'memo'],
    },
    '095ea7b3': {
      signature: 'approve(address,uint256)',
      effect: 'approval',
      parameters: ['to', 'amount'],
    },
    '39509351': {
      signature: 'increaseAllowance(address,uint256)',
      effect: 'approval',
      parameters: ['to', 'amount'],
    },
    d73dd623: {
      signature: 'increaseApproval(address,uint256)',
      effect: 'approval',
      parameters: ['to', 'amount'],
    },
  } satisfies Record<string, Row & { signature: string }>),
);

const wordBytes = 32;
const selectorBytes = 4;

/**
 * The function of a token that call data looks like; undefined for other data, for surplus bytes, and
 * for addresses with anything before their 20 bytes, which compilers read differently.
 */
export function readTokenCall(data: Uint8Array): TokenCall | undefined {
  const found = functions.get(hex(data.subarray(0, selectorBytes)));
  if (found === undefined) return undefined;
  const { signature, effect, parameters } = found;
  if (data.length !== selectorBytes + wordBytes * parameters.length) return undefined;
  const wordOf = (parameter: Parameter) => {
    const start = selectorBytes + wordBytes * parameters.indexOf(parameter);
    return data.subarray(start, start + wordBytes);
  };
  const to = accountIn(wordOf('to'));
  const from = parameters.includes('from') ? accountIn(wordOf('from')) : undefined;
  if (to === undefined || (parameters.includes('from') && from === undefined)) return undefined;
  const amount = BigInt(`0x${hex(wordOf('amount'))}`);
  return { signature, effect, ...(from === undefined ? {} : { from }), to, amount };
}

/**
 * The transfer that a call may make, for limits: contracts read the words of a call whatever stands
 * behind them, and of an address the last 20 bytes. Undefined where the selector is of no transfer.
 */
export function movedByCall(data: Uint8Array): Omit<TokenCall, 'signature' | 'effect'> | undefined {
  const found = functions.get(hex(data.subarray(0, selectorBytes)));
  if (found?.effect !== 'transfer') return undefined;
  const { parameters } = found;
  const words = new Uint8Array(wordBytes * parameters.length);
  words.set(data.subarray(selectorBytes, selectorBytes + words.length));
  const wordOf = (parameter: Parameter) => {
    const start = wordBytes * parameters.indexOf(parameter);
    return words.subarray(start, start + wordBytes);
  };
  const addressOf = (parameter: Parameter) => wordOf(parameter).subarray(wordBytes - 20);
  return {
    ...(parameters.includes('from') ? { from: addressOf('from') } : {}),
    to: addressOf('to'),
    amount: BigInt(`0x${hex(wordOf('amount'))}`),
  };
}

/** From here on an allowance is never used up: no known token has as many units. */
export const unlimitedAmount = 2n ** 128n;

function accountIn(word: Uint8Array): Uint8Array | undefined {
  return word.subarray(0, 12).every((byte) => byte === 0) ? word.subarray(12) : undefined;
}
