// The first line of an approval: the amount, the chain, the payer and the recipient.

import type { ExplainedTransaction } from '../../../src/core/transactions/explain_signed.ts';
import {
  type AddressHistory,
  type Headline,
  headlineOf,
  type Party,
} from '../../../src/core/transactions/headline/headline.ts';
import { CopyButton } from '../../components/small.tsx';
import { dayText, number, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useKnownAddresses } from './known_addresses.ts';

/** Shows nothing for a transaction that moves no amount. Names appear when they were read. */
export function HeadlineLine(props: {
  readonly explanation: ExplainedTransaction;
  readonly signer: string;
}) {
  const { explanation, signer } = props;
  const known = useKnownAddresses();
  const headline = headlineOf(explanation, { chain: explanation.chain, signer }, known.data);
  if (headline === undefined) return null;
  const { chain = t('headline.anyChain'), from, to, more, kind } = headline;
  const [first, ...others] = to;
  const names = kind === 'pay' ? 'headline.to' : 'headline.spender';
  return (
    <p class="headline">
      <strong>{amountText(headline)}</strong>
      <span>{chain}</span>
      <span>
        {t('headline.from')} <PartyText party={from} />
      </span>
      {others.length === 0 ? (
        <span>
          {t(names)} <PartyText party={first} isRecipient />
        </span>
      ) : (
        <span>{t('headline.recipients', { count: to.length })}</span>
      )}
      {more > 0 && <span>{t('headline.more', { count: more })}</span>}
    </p>
  );
}

/** `0.5 ETH`, `Allowance of 25 USDC`. */
export function amountText({ kind, amount, asset }: Headline): string {
  if (amount === undefined) return t('headline.unlimited', { asset: shown(asset) });
  return kind === 'pay' ? shown(amount) : t('headline.allowance', { amount: shown(amount) });
}

/** A name or a shortened address. The whole address shows on hover and is copied by the button. */
function PartyText(props: { readonly party: Party; readonly isRecipient?: boolean }) {
  const { address, standing } = props.party;
  const name = standing.kind === 'own' ? shown(standing.name) : shortAddress(address);
  const note = props.isRecipient ? standingText(standing) : undefined;
  return (
    <>
      <span class="party" title={shown(address)}>
        {name}
      </span>
      <CopyButton text={address} label={t('headline.copy', { name })} />
      {note !== undefined && (
        <span class={standing.kind === 'unpaid' ? 'standing unpaid' : 'standing'}> ({note})</span>
      )}
    </>
  );
}

/** `0x0000…dEaD`. */
export function shortAddress(address: string): string {
  const text = shown(address);
  return text.length <= 14 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}

export function standingText(standing: AddressHistory): string | undefined {
  switch (standing.kind) {
    case 'own':
      return t('headline.own');
    case 'book':
      return t('headline.book', { label: shown(standing.name) });
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
