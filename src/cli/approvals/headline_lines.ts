// Formats the headline of a transaction: `0.5 ETH · Sepolia · from treasury / account 1 · to 0x…`.

import type { ExplainedTransaction } from '../../core/transactions/explain_signed.ts';
import {
  type Headline,
  headlineOf,
  type KnownAddresses,
  type Party,
} from '../../core/transactions/headline/headline.ts';
import { visible } from '../output/output.ts';
import { timeText } from '../words/times.ts';

/** Returns no line for a transaction that moves no amount. */
export function headlineLines(
  explained: ExplainedTransaction,
  signer: string,
  known?: KnownAddresses,
): readonly string[] {
  const headline = headlineOf(explained, { chain: explained.chain, signer }, known);
  return headline === undefined ? [] : [`  ${visible(headlineText(headline))}`];
}

export function headlineText(headline: Headline): string {
  const { kind, chain = 'any chain', from, to, more } = headline;
  const [first, ...others] = to;
  const { standing } = from;
  const recipient =
    others.length === 0
      ? `${kind === 'pay' ? 'to' : 'for'} ${recipientText(first)}`
      : `to ${to.length} recipients`;
  return [
    amountText(headline),
    chain,
    `from ${standing.kind === 'own' ? standing.name : from.address}`,
    recipient,
    ...(more === 0 ? [] : [`and ${more} more ${more === 1 ? 'effect' : 'effects'}`]),
  ].join(' · ');
}

function amountText({ kind, amount, asset }: Headline): string {
  if (amount === undefined) return `unlimited allowance of ${asset}`;
  return kind === 'pay' ? amount : `allowance of up to ${amount}`;
}

function recipientText({ address, standing }: Party): string {
  switch (standing.kind) {
    case 'own':
      return `${standing.name}, ${address} (an account of this organization)`;
    case 'book':
      return `${address} (in your address book as ${standing.name})`;
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
