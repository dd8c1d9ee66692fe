// Describes the amounts and parties of a headline.

import type {
  AddressHistory,
  Headline,
  Party,
} from '../../../src/core/transactions/headline/headline.ts';
import type { LeavingTotal } from '../../../src/core/transactions/headline/leaving_total.ts';
import { shortAddress as shortOf } from '../../../src/core/transactions/headline/short_address.ts';
import { dayText, listText, number, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';

/** Returns text like `0.5 ETH` or `Allowance of up to 25 USDC`. */
export function amountText(headline: Headline): string {
  const asset = shown(headline.asset);
  const amount = headline.amount === undefined ? undefined : shown(headline.amount);
  switch (headline.kind) {
    case 'pay':
      return amount ?? asset;
    case 'allow':
      if (amount === undefined) return t('headline.unlimited', { asset });
      return t('headline.allowance', { amount });
    case 'deposit':
      return t('headline.deposit', { amount: amount ?? asset });
    case 'withdraw':
      if (amount === undefined) return t('headline.withdrawAll', { asset });
      return t('headline.withdraw', { amount });
    case 'swap':
      return t('headline.swap', {
        amount: amount ?? asset,
        least: shown(headline.least ?? ''),
      });
  }
}

/** Returns text like `0.502 ETH, including the highest possible fee`. */
export function totalText({ amounts, hasAllFees }: LeavingTotal): string {
  const key = hasAllFees ? 'headline.withFee' : 'headline.withoutAllFees';
  return t(key, { amounts: listText(amounts.map(shown)) });
}

/** The word before the recipient. */
export const recipientWord = (kind: Headline['kind']): string => t(recipientWords[kind]);

const recipientWords = {
  pay: 'headline.to',
  allow: 'headline.spender',
  deposit: 'headline.into',
  withdraw: 'headline.to',
  swap: 'headline.to',
} as const;

/** Returns the name of an account of the organization, else the shortened address. */
export function partyName({ address, standing }: Party): string {
  return standing.kind === 'own' ? shown(standing.name) : shortAddress(address);
}

/** Returns text like `0x0000…dEaD`. */
export const shortAddress = (address: string): string => shown(shortOf(address));

export function standingText(standing: AddressHistory): string | undefined {
  switch (standing.kind) {
    case 'own':
      return t('headline.own', { name: shown(standing.name) });
    case 'book':
      return t('headline.book', { label: shown(standing.name) });
    case 'lookalike':
      return t('headline.lookalike', { name: shown(standing.name) });
    case 'vault':
      return t('headline.vault', { name: shown(standing.name) });
    case 'paid':
      return t('headline.paid');
    case 'unknown':
      return undefined;
    case 'unpaid': {
      const { count, sinceMs } = standing.since;
      return sinceMs === undefined
        ? t('headline.unpaid')
        : t('headline.unpaidSince', { count: number(count), day: dayText(sinceMs) });
    }
  }
}
