// Formats the headline of a transaction: `0.5 ETH · Chain: Sepolia · from treasury / account 1 · to 0x…`.

import type { ExplainedTransaction } from '../../core/transactions/explain_signed.ts';
import {
  type Headline,
  headlineOf,
  type KnownAddresses,
  type Party,
} from '../../core/transactions/headline/headline.ts';
import { type LeavingTotal, leavingTotal } from '../../core/transactions/headline/leaving_total.ts';
import { shortAddress } from '../../core/transactions/headline/short_address.ts';
import { visible } from '../output/output.ts';
import { timeText } from '../words/times.ts';

/** Returns no line for a transaction that moves no amount. */
export function headlineLines(
  explained: ExplainedTransaction,
  signer: string,
  known?: KnownAddresses,
): readonly string[] {
  const headline = headlineOf(explained, { chain: explained.chain, signer }, known);
  if (headline === undefined) return [];
  const total = leavingTotal(explained, signer);
  return [
    `  ${visible(headlineText(headline))}`,
    ...(headline.network === 'requested' ? [`  ${visible(requestedText(headline))}`] : []),
    ...(total === undefined ? [] : [`  Leaves the account at most: ${visible(totalText(total))}`]),
  ];
}

/** Returns text like `0.502 ETH, including the highest possible fee`. */
function totalText({ amounts, hasAllFees }: LeavingTotal): string {
  const text = `${amounts.join(' and ')}, including the highest possible fee`;
  return hasAllFees ? text : `${text} for gas; the chain may add its own`;
}

const requestedText = ({ chain = '' }: Headline): string =>
  `${chain} is a test network, but the signed bytes name no network. They may be valid where coins have value.`;

export function headlineText(headline: Headline): string {
  const { chain = 'any', network, from, to, more } = headline;
  return [
    amountText(headline),
    `Chain: ${chain}${network === 'test' ? ' (test network)' : ''}`,
    `from ${fromText(from)}`,
    recipientsText(headline),
    ...(more === 0 ? [] : [`and ${more} more ${more === 1 ? 'effect' : 'effects'}`]),
  ].join(' · ');

  function recipientsText({ kind }: Headline): string {
    const [first, ...others] = to;
    if (kind === 'swap') return 'paid out to the same account';
    if (others.length > 0) return `to ${to.length} recipients`;
    return `${recipientWords[kind]} ${recipientText(first)}`;
  }
}

/** Returns the short form for lists: `0.5 ETH to 0x0000…dEaD`. */
export function paymentText(headline: Headline): string {
  const { kind, to } = headline;
  const [first, ...others] = to;
  if (kind === 'swap' || first === undefined) return amountText(headline);
  if (others.length > 0) return `${amountText(headline)} to ${to.length} recipients`;
  const { address, standing } = first;
  const name = standing.kind === 'own' ? standing.name : shortAddress(address);
  return `${amountText(headline)} ${recipientWords[kind]} ${name}`;
}

const recipientWords = { pay: 'to', allow: 'for', deposit: 'into', withdraw: 'to' } as const;

function amountText({ kind, amount, asset, least = '' }: Headline): string {
  switch (kind) {
    case 'pay':
      return amount ?? asset;
    case 'allow':
      if (amount === undefined) return `unlimited allowance of ${asset}`;
      return `allowance of up to ${amount}`;
    case 'deposit':
      return `deposit of ${amount ?? asset}`;
    case 'withdraw':
      return `withdrawal of ${amount ?? `everything in ${asset}`}`;
    case 'swap':
      return `swap of ${amount ?? asset} for at least ${least}`;
  }
}

function fromText({ address, standing }: Party): string {
  if (standing.kind === 'own') return standing.name;
  return standing.kind === 'vault' ? recipientText({ address, standing }) : address;
}

function recipientText({ address, standing }: Party): string {
  switch (standing.kind) {
    case 'own':
      return `${standing.name}, ${address} (an account of this organization)`;
    case 'book':
      return `${address} (in your address book as ${standing.name})`;
    case 'lookalike':
      return `${address} (WARNING: looks like ${standing.name}, but is another address)`;
    case 'vault':
      return `${address} (the vault ${standing.name}, as the service reports it)`;
    case 'paid':
      return `${address} (paid before)`;
    case 'unknown':
      return address;
    case 'unpaid': {
      const { count, sinceMs } = standing.since;
      if (sinceMs === undefined) return `${address} (never paid before)`;
      const since = timeText({ seconds: sinceMs / 1000 }).slice(0, 10);
      return `${address} (not among the last ${count} payments, since ${since})`;
    }
  }
}
