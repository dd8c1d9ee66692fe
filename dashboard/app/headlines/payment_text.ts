// Describes payments in lists. Decodes each transaction once.

import {
  explainRequest,
  type Intent,
  signerOf,
} from '../../../src/core/transactions/headline/explain_request.ts';
import {
  headlineOf,
  type KnownAddresses,
} from '../../../src/core/transactions/headline/headline.ts';
import type { AccountOf } from '../../../src/core/transactions/headline/known_addresses.ts';
import { t } from '../../messages/text.ts';
import { amountText, partyName } from './party_text.ts';

export function paymentTexts(known: KnownAddresses, accountOf: AccountOf) {
  const texts = new WeakMap<Intent, string | undefined>();
  return (type: string, intent: Intent): string | undefined => {
    if (!texts.has(intent)) texts.set(intent, textOf(type, intent));
    return texts.get(intent);
  };

  function textOf(type: string, intent: Intent): string | undefined {
    // The decoders of transactions need `Uint8Array.fromHex`.
    if (!('fromHex' in Uint8Array)) return undefined;
    const signer = signerOf(intent);
    const account = accountOf(signer);
    const explained = explainRequest(type, intent, account);
    if (explained === undefined) return undefined;
    const { chain } = explained;
    const address = account?.address ?? signer;
    const headline = headlineOf(explained, { chain, signer: address }, known);
    if (headline === undefined) return undefined;
    const { kind, to } = headline;
    const [first, ...others] = to;
    const amount = amountText(headline);
    if (others.length > 0) {
      return `${amount} ${t('headline.recipients', { count: to.length })}`;
    }
    return `${amount} ${t(kind === 'pay' ? 'headline.to' : 'headline.spender')} ${partyName(first)}`;
  }
}
