// The content of an approval: a sentence and effects where the bytes can be read, else every member of them.

import { useId } from 'preact/hooks';
import type { VerifiedActivity } from '../../../src/client/verified_activity.ts';
import { Icon } from '../../components/icons.tsx';
import { Terms } from '../../components/small.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { jsonText } from '../activities/json_text.ts';
import { shown } from '../service/activity_text.ts';
import type { Change, Difference } from './differences.ts';
import type { SignedContent } from './signed_content.ts';

export function Content(props: {
  readonly signed: SignedContent;
  readonly activity: VerifiedActivity;
}) {
  const { signed, activity } = props;
  const { transaction, change, warnings, isSignature, signWith } = signed;
  const id = useId();
  return (
    <>
      <fieldset class="content" aria-labelledby={id}>
        <h3 id={id}>{t(isSignature ? 'approvals.willSign' : 'approvals.willChange')}</h3>
        {change !== undefined && <Told change={change} />}
        {change !== undefined && isSignature && (
          <Terms
            rows={[{ term: t('approvals.with'), value: <code>{shown(signWith ?? '')}</code> }]}
          />
        )}
        {change === undefined && transaction === undefined && (
          <pre>{jsonText(activity.intent)}</pre>
        )}
        {transaction !== undefined && (
          <>
            <p class="sentence">{shown(transaction.summary)}</p>
            {transaction.effects.length > 1 && (
              <ul class="list">
                {transaction.effects.map(({ text }) => (
                  <li key={text}>{shown(text)}</li>
                ))}
              </ul>
            )}
            <Terms
              rows={[
                { term: t('approvals.with'), value: <code>{shown(signWith ?? '')}</code> },
                ...(transaction.fee === undefined
                  ? []
                  : [{ term: t('approvals.fee'), value: shown(transaction.fee.text) }]),
              ]}
            />
            <p class="hint">{t('approvals.interfaces')}</p>
          </>
        )}
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
        <pre>{shown(activity.message)}</pre>
      </details>
    </>
  );
}

/** A change, or typed data: a sentence, and each member as it was signed. */
function Told({ change }: { readonly change: Change }) {
  const { sentence, differences } = change;
  const hasBefore = differences.some(({ now }) => now !== undefined);
  return (
    <>
      <p class="sentence">{shown(sentence)}</p>
      {differences.length > 0 && (
        <Table
          name={t('change.table')}
          rows={differences}
          keyOf={({ what }) => what}
          columns={[
            { heading: t('change.what'), cell: ({ what }) => shown(what) },
            ...(hasBefore
              ? [
                  {
                    heading: t('change.now'),
                    cell: ({ now = '' }: Difference) => <Value text={now} />,
                  },
                ]
              : []),
            {
              heading: t(hasBefore ? 'change.then' : 'change.signed'),
              cell: ({ signed }) => <Value text={signed} />,
            },
          ]}
        />
      )}
      {hasBefore && <p class="hint">{t('change.saidHint')}</p>}
    </>
  );
}

function Value({ text }: { readonly text: string }) {
  if (text === '') return <span class="hint">{t('change.empty')}</span>;
  return <code class="value">{text.split('\n').map(shown).join('\n')}</code>;
}
