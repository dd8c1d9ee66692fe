// Explains calls of contracts without a known interface.

import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { maximumWord, readTokenCall, type TokenCall, unlimitedAmount } from './token_calls.ts';

export type UnknownCall = {
  /** Addresses in the spelling of their chain. */
  readonly caller: string;
  readonly contract: string;
  readonly data: Uint8Array;
  /** Returns the text of a 20-byte address. */
  readonly addressOf: (account: Uint8Array) => string;
};

/** Returns the effects of a call, and of the token function that it looks like. */
export function callEffects(call: UnknownCall): readonly [Effect, ...Effect[]] {
  const { caller, contract, data } = call;
  const token = readTokenCall(data);
  return [
    {
      kind: 'CALL',
      text: `${caller} calls the contract ${contract} ${dataText(data, token)}.`,
      from: caller,
      contract,
    },
    ...(token === undefined ? [] : [tokenEffect(token, call)]),
  ];
}

/** Returns warnings about the unknown parts of a call, and about unlimited allowances. */
export function callWarnings({ contract, data, addressOf }: UnknownCall): readonly Warning[] {
  const token = readTokenCall(data);
  if (token === undefined) {
    return data.length === 0
      ? [{ code: 'UNKNOWN_CONTRACT', text: `What ${contract} does is not known.` }]
      : [
          {
            code: 'UNREADABLE_CALL_DATA',
            text: `What the data makes ${contract} do cannot be read.`,
          },
        ];
  }
  const unknown: Warning = {
    code: 'UNKNOWN_CONTRACT',
    text: `The transaction does not prove that ${contract} is a token.`,
  };
  if (token.effect === 'transfer' || token.amount < unlimitedAmount) return [unknown];
  const text = `If ${contract} is a token, ${addressOf(token.to)} may spend all that the owner ever has of it.`;
  return [{ code: 'UNLIMITED_APPROVAL', text }, unknown];
}

/** Formats a length: `1 byte`, `2 bytes`. */
export function bytesText({ length }: Uint8Array): string {
  return length === 1 ? '1 byte' : `${length} bytes`;
}

/** Functions that collections have too (ERC-721), where the amount is the number of a token. */
const collectionCalls: ReadonlySet<string> = new Set([
  'approve(address,uint256)',
  'transferFrom(address,address,uint256)',
]);

function tokenEffect(token: TokenCall, { caller, contract, addressOf }: UnknownCall): Effect {
  const to = addressOf(token.to);
  const from = token.from === undefined ? caller : addressOf(token.from);
  const isItem = collectionCalls.has(token.signature) && token.amount < maximumWord;
  const item = isItem ? `, or its token number ${token.amount}` : '';
  const what =
    token.effect === 'transfer'
      ? `${token.amount} of its units${item}${isItem ? ',' : ''} go from ${from} to ${to}`
      : `${to} may spend ${allowanceText(token)} that ${from} has of it${item}`;
  return {
    kind: token.effect === 'transfer' ? 'TOKEN_TRANSFER' : 'APPROVAL',
    text: `If ${contract} is a token, ${what}.`,
    from,
    to,
    amount: String(token.amount),
    asset: contract,
    contract,
  };
}

function dataText(data: Uint8Array, token: TokenCall | undefined): string {
  if (data.length === 0) return 'without data';
  if (token === undefined) return `with ${bytesText(data)} of data`;
  return `with data that looks like ${token.signature}`;
}

function allowanceText({ effect, amount }: TokenCall): string {
  if (amount >= unlimitedAmount) return 'any number of units';
  return effect === 'increase' ? `${amount} more units` : `${amount} units`;
}
