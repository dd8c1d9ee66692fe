// The headline of an approval: amount, chain, payer and recipient.

import type { ExplainedTransaction } from '../../../src/core/transactions/explain_signed.ts';
import { headlineOf, type Party } from '../../../src/core/transactions/headline/headline.ts';
import { leavingTotal } from '../../../src/core/transactions/headline/leaving_total.ts';
import { CopyButton, Terms } from '../../components/small.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useKnownAddresses } from './known_addresses.ts';
import {
  amountText,
  partyName,
  recipientWord,
  shortAddress,
  standingText,
  totalText,
} from './party_text.ts';

/** Shows nothing for a transaction that moves no amount. Adds names once their read finishes. */
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
  const total = leavingTotal(explanation, signer);
  const recipient = t(kind === 'allow' ? 'headline.allowed' : 'headline.recipient');
  return (
    <>
      <p class="headline">
        <strong class={kind === 'allow' && headline.amount === undefined ? 'unlimited' : undefined}>
          {amountText(headline)}
        </strong>
        <span>
          {t('headline.chain', {
            chain: headline.network === 'test' ? t('headline.testChain', { chain }) : chain,
          })}
        </span>
        <span>
          {t('headline.from')} <PartyText party={from} />
        </span>
        <span>
          {kind === 'swap' ? (
            t('headline.sameAccount')
          ) : others.length === 0 ? (
            <>
              {recipientWord(kind)} <PartyText party={first} isRecipient />
            </>
          ) : (
            t('headline.recipients', { count: to.length })
          )}
        </span>
        {more > 0 && <span>{t('headline.more', { count: more })}</span>}
      </p>
      {headline.network === 'requested' && <p>{t('headline.requested', { chain })}</p>}
      <p class="hint">
        {t('headline.reported')} {t(kind === 'pay' ? 'headline.comparePaid' : 'headline.compare')}
      </p>
      <Terms
        rows={[
          { term: t('headline.payer'), value: <WholeAddress party={from} /> },
          ...(kind === 'swap'
            ? []
            : to.map((party, i) => ({
                term: others.length === 0 ? recipient : `${recipient} ${i + 1}`,
                value: <WholeAddress party={party} />,
              }))),
          ...(total === undefined
            ? []
            : [{ term: t('headline.total'), value: <strong>{totalText(total)}</strong> }]),
        ]}
      />
    </>
  );
}

/** Shows the whole address in groups of four, which people can compare, after the name of an own account. */
function WholeAddress({ party }: { readonly party: Party }) {
  const { address, standing } = party;
  return (
    <>
      {standing.kind === 'own' && <>{shown(standing.name)} </>}
      <code class="grouped">
        {shown(address)
          .match(/^0x|.{1,4}/g)
          ?.map((group, i) => (
            <span key={i}>{group}</span>
          ))}
      </code>
    </>
  );
}

/** Shows a name or a shortened address, with the whole address as tooltip and a button that copies it. */
function PartyText(props: { readonly party: Party; readonly isRecipient?: boolean }) {
  const { address, standing } = props.party;
  const isLookalike = standing.kind === 'lookalike';
  // A recipient is shown by its address, because the service could report a false name. A lookalike has
  // the same short form as the known address.
  const short = isLookalike ? shown(address) : shortAddress(address);
  const name = props.isRecipient ? short : partyName(props.party);
  const note = props.isRecipient || standing.kind === 'vault' ? standingText(standing) : undefined;
  return (
    <>
      <span class="party" title={shown(address)}>
        {name}
      </span>
      <CopyButton text={address} label={t('headline.copy', { name })} />
      {note !== undefined && <span class={`standing ${standing.kind}`}> ({note})</span>}
    </>
  );
}
