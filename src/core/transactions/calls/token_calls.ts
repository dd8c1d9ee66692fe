// Calls in the form of token functions: ERC-20 with ERC-677, ERC-777, ERC-1363 and the names of DAI, TIP-20
// of Tempo, TRC-20 of Tron. The selector identifies a function, not what the contract does. One table serves
// all types, since a chain may accept transactions of several types.

import { hex } from '../../base/bytes.ts';

/** Call data in the form of a token function. Accounts are 20 bytes. */
export type TokenCall = {
  /** The function with its parameter types. */
  readonly signature: string;
  readonly effect: 'transfer' | 'approval';
  /** Owner of the moved tokens. Default: the caller. */
  readonly from?: Uint8Array;
  /** Recipient or spender of the tokens. */
  readonly to: Uint8Array;
  /** In the smallest unit; for an approval, the allowance or the increase. */
  readonly amount: bigint;
};

type Row = { readonly effect: TokenCall['effect']; readonly parameters: readonly Parameter[] };
/** `memo` is a word, `data` the offset of bytes after the words. */
type Parameter = 'from' | 'to' | 'amount' | 'memo' | 'data';

/** Functions by selector, the first bytes of the Keccak-256 of the signature. */
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
    '929c2539': {
      signature: 'transferFromWithMemo(address,address,uint256,bytes32)',
      effect: 'transfer',
      parameters: ['from', 'to', 'amount', 'memo'],
    },
    '1296ee62': {
      signature: 'transferAndCall(address,uint256)',
      effect: 'transfer',
      parameters: ['to', 'amount'],
    },
    '4000aea0': {
      signature: 'transferAndCall(address,uint256,bytes)',
      effect: 'transfer',
      parameters: ['to', 'amount', 'data'],
    },
    d8fbe994: {
      signature: 'transferFromAndCall(address,address,uint256)',
      effect: 'transfer',
      parameters: ['from', 'to', 'amount'],
    },
    c1d34b89: {
      signature: 'transferFromAndCall(address,address,uint256,bytes)',
      effect: 'transfer',
      parameters: ['from', 'to', 'amount', 'data'],
    },
    b753a98c: {
      signature: 'push(address,uint256)',
      effect: 'transfer',
      parameters: ['to', 'amount'],
    },
    bb35783b: {
      signature: 'move(address,address,uint256)',
      effect: 'transfer',
      parameters: ['from', 'to', 'amount'],
    },
    '9bd9bbc6': {
      signature: 'send(address,uint256,bytes)',
      effect: 'transfer',
      parameters: ['to', 'amount', 'data'],
    },
    '62ad1b83': {
      signature: 'operatorSend(address,address,uint256,bytes,bytes)',
      effect: 'transfer',
      parameters: ['from', 'to', 'amount', 'data', 'data'],
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

/** Signatures of the functions that velocity controls count as token transfers. */
export const transferSignatures: readonly string[] = [...functions.values()]
  .filter(({ effect }) => effect === 'transfer')
  .map(({ signature }) => signature);

const wordBytes = 32;
const selectorBytes = 4;

/**
 * Parses call data in the form of a token function. Undefined for other data, for surplus bytes, and for
 * addresses with other bytes before their 20, which compilers treat differently.
 */
export function readTokenCall(data: Uint8Array): TokenCall | undefined {
  const found = functions.get(hex(data.subarray(0, selectorBytes)));
  if (found === undefined) return undefined;
  const { signature, effect, parameters } = found;
  const wordsEnd = selectorBytes + wordBytes * parameters.length;
  if (data.length < wordsEnd) return undefined;
  if (data.length > wordsEnd && !parameters.includes('data')) return undefined;
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
 * Returns the transfer that a call may make, for velocity controls. Like contracts, ignores bytes after the
 * words of a call, and reads the last 20 bytes of an address. Returns undefined if the selector is not that
 * of a transfer.
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

/** The maximum of a word (uint256). As an allowance it has no limit, and no token has it as its number. */
export const maximumWord = 2n ** 256n - 1n;

/** Allowances from this value count as unlimited, since no known token has as many units. */
export const unlimitedAmount = 2n ** 128n;

function accountIn(word: Uint8Array): Uint8Array | undefined {
  return word.subarray(0, 12).every((byte) => byte === 0) ? word.subarray(12) : undefined;
}
