// The content of an approval: its summary and effects if this page can read the bytes, otherwise every signed
// member.

import { useId } from 'preact/hooks';
import type { VerifiedActivity } from '../../../src/client/verified_activity.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import { headlineOf, isPlainPayment } from '../../../src/core/transactions/headline/headline.ts';
import { Icon } from '../../components/icons.tsx';
import { Terms } from '../../components/small.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { HeadlineLine } from '../headlines/headline.tsx';
import { NamedJson } from '../headlines/named.tsx';
import { hasId } from '../headlines/named_ids.ts';
import { shown } from '../service/activity_text.ts';
import type { Change, Difference } from './differences.ts';
import type { SignedContent } from './signed_content.ts';

export function Content(props: {
  readonly signed: SignedContent;
  readonly activity: VerifiedActivity;
}) {
  const { signed, activity } = props;
  const { explanation, payloads, change, warnings, isSignature, signWith, transaction } = signed;
  const id = useId();
  const callsContract =
    payloads === undefined &&
    explanation?.effects.some(({ kind }) => kind === 'CALL' || kind === 'DATA') === true;
  const fee = explanation?.fee;
  // A payload may be a transaction that this page cannot read.
  const isFree = payloads !== undefined && transaction !== undefined;
  const feeText = fee === undefined ? (isFree ? t('approvals.noFee') : undefined) : shown(fee.text);
  return (
    <>
      {transaction !== undefined && (
        <HeadlineLine explanation={transaction.explained} signer={transaction.signer} />
      )}
      <fieldset class="content" aria-labelledby={id}>
        <h3 id={id}>{t(isSignature ? 'approvals.willSign' : 'approvals.willChange')}</h3>
        {change !== undefined && <ChangeSummary change={change} />}
        {change === undefined && explanation === undefined && <NamedJson value={activity.intent} />}
        {explanation !== undefined && !isRepeated(signed) && (
          <Explained explanation={explanation} />
        )}
        {payloads?.texts.map((text) => (
          <pre key={text}>{text.split('\n').map(shown).join('\n')}</pre>
        ))}
        {payloads !== undefined && payloads.values.length > 0 && (
          <Differences differences={payloads.values} />
        )}
        {isSignature && (
          <Terms
            rows={[
              ...(hasHeadline(signed)
                ? []
                : [{ term: t('approvals.with'), value: <code>{shown(signWith ?? '')}</code> }]),
              ...(feeText === undefined ? [] : [{ term: t('approvals.fee'), value: feeText }]),
            ]}
          />
        )}
        {callsContract && <p class="hint">{t('approvals.interfaces')}</p>}
      </fieldset>
      {warnings.length > 0 && (
        <div class="notice">
          <Icon name="warning" />
          <ul class="list" aria-label={t('approvals.warnings')}>
            {warnings.map((warning) => (
              <li key={warning}>{shown(warning)}</li>
            ))}
          </ul>
        </div>
      )}
      <details>
        <summary>{t('approvals.rawBytes')}</summary>
        {explanation !== undefined && isRepeated(signed) && <p>{shown(explanation.summary)}</p>}
        <pre>{shown(activity.message)}</pre>
      </details>
    </>
  );
}

/** Returns true if the headline names the account that signs. */
function hasHeadline({ transaction }: SignedContent): boolean {
  if (transaction === undefined) return false;
  const { explained, signer } = transaction;
  return headlineOf(explained, { chain: explained.chain, signer }) !== undefined;
}

/** Returns true if the headline says all that the summary says. */
const isRepeated = (signed: SignedContent): boolean =>
  signed.explanation !== undefined && isPlainPayment(signed.explanation) && hasHeadline(signed);

/** Shows the summary, and the effects unless they only repeat it. */
function Explained({ explanation }: { readonly explanation: TransactionExplanation }) {
  const { summary, effects } = explanation;
  const further = effects.filter(({ text }) => text !== summary);
  const isTransfer = further.length === 1 && further[0]?.kind === 'TRANSFER';
  return (
    <>
      <p class="sentence">{shown(summary)}</p>
      {further.length > 0 && !isTransfer && (
        <ul class="list">
          {further.map(({ text }) => (
            <li key={text}>{shown(text)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Shows a change as a sentence and a table of the signed members. */
function ChangeSummary({ change }: { readonly change: Change }) {
  const { sentence, differences } = change;
  const hasBefore = differences.some(({ now }) => now !== undefined);
  const { plain = [], withIds = [] } = Object.groupBy(differences, ({ now = '', signed }) =>
    hasId(`${now} ${signed}`) ? 'withIds' : 'plain',
  );
  return (
    <>
      <p class="sentence">{shown(sentence)}</p>
      {plain.length > 0 && <Differences differences={plain} />}
      {withIds.length > 0 && (
        <details>
          <summary>{t('change.ids')}</summary>
          <Differences differences={withIds} />
        </details>
      )}
      {hasBefore && <p class="hint">{t('change.saidHint')}</p>}
    </>
  );
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  const hasBefore = differences.some(({ now }) => now !== undefined);
  return (
    <Table
      name={t('change.table')}
      rows={differences}
      keyOf={({ what }) => what}
      columns={{
        [t('change.what')]: ({ what }) => shown(what),
        ...(hasBefore && {
          [t('change.now')]: ({ now = '' }: Difference) => <Value text={now} />,
        }),
        [t(hasBefore ? 'change.then' : 'change.signed')]: ({ signed }) => <Value text={signed} />,
      }}
    />
  );
}

function Value({ text }: { readonly text: string }) {
  if (text === '') return <span class="hint">{t('change.empty')}</span>;
  return <code class="value">{text.split('\n').map(shown).join('\n')}</code>;
}
