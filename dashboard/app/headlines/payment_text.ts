// Describes payments in lists. Decodes each transaction once.

import {
  explainRequest,
  signerOf,
} from '../../../src/core/transactions/headline/explain_request.ts';
import {
  headlineOf,
  type KnownAddresses,
} from '../../../src/core/transactions/headline/headline.ts';
import type { AccountOf } from '../../../src/core/transactions/headline/known_addresses.ts';
import type { ReportedMarket } from '../../../src/core/transactions/headline/market_terms.ts';
import type { Intent } from '../../../src/core/transactions/headline/request_types.ts';
import { t } from '../../messages/text.ts';
import { amountText, partyName, recipientWord } from './party_text.ts';

export function paymentTexts(known: KnownAddresses, accountOf: AccountOf) {
  const texts = new WeakMap<Intent, { readonly text: string | undefined; readonly of: unknown }>();
  return (type: string, intent: Intent, market?: ReportedMarket): string | undefined => {
    const cached = texts.get(intent);
    if (cached !== undefined && cached.of === market) return cached.text;
    const text = textOf(type, intent, market);
    texts.set(intent, { text, of: market });
    return text;
  };

  function textOf(type: string, intent: Intent, market?: ReportedMarket): string | undefined {
    // The decoders of transactions need `Uint8Array.fromHex`.
    if (!('fromHex' in Uint8Array)) return undefined;
    const signer = signerOf(intent);
    const account = accountOf(signer);
    const explained = explainRequest(type, intent, account, { market });
    if (explained === undefined) return undefined;
    const { chain } = explained;
    const address = account?.address ?? signer;
    const headline = headlineOf(explained, { chain, signer: address }, known);
    if (headline === undefined) return undefined;
    const { kind, to } = headline;
    const [first, ...others] = to;
    const amount = amountText(headline);
    if (kind === 'swap') return amount;
    if (others.length > 0) {
      return `${amount} ${t('headline.recipients', { count: to.length })}`;
    }
    return `${amount} ${recipientWord(kind)} ${partyName(first)}`;
  }
}
