// A quote is the activity that created it: its result contains the terms, and its ID is the ID of the quote.

import { fail, failField } from '../../core/errors/errors.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { LoadInput } from '../operation.ts';

/** The members of a request that must equal the quote. */
type Terms = {
  readonly inputToken: string;
  readonly outputToken: string;
  readonly inputAmount: string;
  readonly quotedOutputAmount?: string | undefined;
  readonly minOutputAmount: string;
};

/** Returns the token that marks a quote as executed in the deployment. */
export const claimOf = (quoteId: string): string => `swap_quote/${quoteId}`;

/**
 * Returns the address that signs the swap of a quote. Raises `swap_quote_not_found`, `swap_quote_expired`,
 * `swap_quote_used`, and `field_invalid` for a term that differs from the quote.
 */
export async function signerOfQuote(
  quoteId: string,
  terms: Terms,
  {
    read,
    services,
    context,
    organization,
  }: Pick<LoadInput<unknown>, 'read' | 'services' | 'context' | 'organization'>,
): Promise<string> {
  const activity = await read.activity(quoteId);
  const quote = activity === undefined ? undefined : quoteOf(activity);
  if (quote === undefined) {
    return fail('swap_quote_not_found', { quoteId, organizationId: organization.id });
  }
  for (const name of termNames) {
    const named = terms[name];
    if (named === undefined || named === quote[name]) continue;
    failField(`parameters.${name}`, `expected ${quote[name]}, as the quote says`);
  }
  if (context.now >= Number(quote.expiresAt)) fail('swap_quote_expired', { quoteId });
  if (await services.isTokenUsed(claimOf(quoteId))) fail('swap_quote_used', { quoteId });
  return quote.signWith;
}

const termNames = [
  'inputToken',
  'outputToken',
  'inputAmount',
  'quotedOutputAmount',
  'minOutputAmount',
] as const;

type Quote = Required<Terms> & { readonly signWith: string; readonly expiresAt: string };

/** Returns the quote of a completed activity, if it created one. */
function quoteOf({ type, status, intent, result }: Activity): Quote | undefined {
  const isQuote = type.startsWith('ACTIVITY_TYPE_CREATE_SWAP_QUOTE');
  if (!isQuote || status !== 'ACTIVITY_STATUS_COMPLETED') return undefined;
  const [asked] = Object.values(intent);
  const [made] = Object.values(result);
  const quotes = member(made, 'quotes');
  const quote: unknown = Array.isArray(quotes) ? quotes[0] : undefined;
  const textOf = (of: unknown, name: string) => String(member(of, name));
  return {
    signWith: textOf(asked, 'signWith'),
    inputToken: textOf(asked, 'inputToken'),
    outputToken: textOf(asked, 'outputToken'),
    inputAmount: textOf(asked, 'inputAmount'),
    quotedOutputAmount: textOf(quote, 'outputAmount'),
    minOutputAmount: textOf(quote, 'minOutputAmount'),
    expiresAt: textOf(quote, 'expiresAt'),
  };
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
