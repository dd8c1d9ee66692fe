// The form of a policy with its errors and warnings.

import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Submits } from '../../../src/client/generated/operations.ts';
import { NameField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icons.tsx';
import { Radios } from '../../components/radios.tsx';
import { t } from '../../messages/text.ts';
import { hasId } from '../headlines/named_ids.ts';
import { shown } from '../service/activity_text.ts';
import type { Policy } from '../service/reads.ts';
import type { Request, Write } from '../service/write.ts';
import { ClauseEditor, type Reach } from './clause_editor.tsx';
import {
  type ClauseName,
  canCheck,
  clauseNames,
  problemOf,
  type Remark,
  warningsOf,
} from './clauses.ts';
import { lineAndColumn } from './positions.ts';

export type Draft = Omit<Submits['create_policy']['parameters'], ClauseName> &
  Readonly<Record<ClauseName, string>>;

export const emptyDraft: Draft = {
  policyName: '',
  effect: 'EFFECT_ALLOW',
  condition: '',
  consensus: '',
  time: '',
  notes: '',
};

/** Converts a draft to parameters of `create_policy`. Omits empty expressions. */
export function parametersOf(draft: Draft): Submits['create_policy']['parameters'] {
  const { policyName, effect, notes } = draft;
  const clauses = clauseNames
    .filter((name) => draft[name] !== '')
    .map((name) => [name, draft[name]]);
  return { policyName, effect, notes, ...Object.fromEntries(clauses) };
}

/** Finds the errors in the expressions of a draft. An update cannot clear a condition or consensus. */
export function problemsOf(draft: Draft, stored?: Policy): readonly Remark[] {
  return clauseNames.flatMap((clause) => {
    if (
      draft[clause] === '' &&
      clause !== 'time' &&
      stored !== undefined &&
      stored[clause] !== ''
    ) {
      return [{ clause, from: 0, to: 0, message: t('policies.cannotEmpty') }];
    }
    const problem = problemOf(clause, draft[clause]);
    return problem === undefined ? [] : [problem];
  });
}

export function PolicyForm(props: {
  readonly draft: Draft;
  readonly stored?: Policy;
  readonly onChange: (draft: Draft) => void;
  readonly write: Write;
  readonly request: () => Request;
  readonly onSave: () => void;
  readonly isUnchanged?: boolean;
}) {
  const { draft, stored, onChange, write, request, onSave, isUnchanged = false } = props;
  const editors = useRef<Partial<Record<ClauseName, Reach>>>({});
  // Editors call back with the latest draft, not with the draft of the render that created them.
  const latest = useRef(draft);
  latest.current = draft;
  const change = (changes: Partial<Draft>) => {
    latest.current = { ...latest.current, ...changes };
    onChange(latest.current);
  };
  const problems = problemsOf(draft, stored);
  const isUntouched = draft === emptyDraft;
  const warnings = problems.length === 0 && !isUntouched ? warningsOf(draft.effect, draft) : [];
  const reach = ({ clause, from, to }: Remark) => editors.current[clause]?.(from, to);
  return (
    <Form
      write={write}
      request={request}
      submitLabel={t('policies.save')}
      disabled={problems.length > 0 || isUnchanged}
      onSubmit={onSave}
    >
      <div class="policy">
        <div class="policy-facts">
          {/* The service appends an id to the names of its own policies. */}
          <DetailsIf isDetail={hasId(stored?.policyName ?? '')}>
            <NameField
              label={t('policies.name')}
              value={draft.policyName}
              onInput={(policyName) => change({ policyName })}
            />
          </DetailsIf>
          <Radios
            label={t('decision.effect')}
            value={draft.effect}
            options={[
              { value: 'EFFECT_ALLOW', label: t('decision.allow') },
              { value: 'EFFECT_DENY', label: t('decision.deny') },
            ]}
            onChange={(effect) => change({ effect })}
          />
          <TextField
            label={t('policies.notes')}
            hint={t('policies.notesHint')}
            value={draft.notes}
            rows={3}
            onInput={(notes) => change({ notes })}
          />
        </div>
        <div class="policy-clauses">
          {clauseNames.map((clause) => (
            <ClauseEditor
              key={clause}
              clause={clause}
              label={t(`decision.${clause}`)}
              hint={t(`policies.${clause}Hint`)}
              value={draft[clause]}
              onInput={(text) => change({ [clause]: text })}
              onReady={(ready) => {
                editors.current[clause] = ready;
              }}
            />
          ))}
        </div>
      </div>
      {!canCheck && <p class="hint">{t('policies.cannotCheck')}</p>}
      <div role="status">
        {problems.length > 0 && (
          <Remarks
            title={t('policies.problems')}
            draft={draft}
            remarks={problems}
            onReach={reach}
          />
        )}
        {warnings.length > 0 && (
          <Remarks
            title={t('policies.warnings')}
            draft={draft}
            remarks={warnings}
            onReach={reach}
          />
        )}
      </div>
    </Form>
  );
}

function DetailsIf(props: { readonly isDetail: boolean; readonly children: ComponentChildren }) {
  const { isDetail, children } = props;
  if (!isDetail) return <>{children}</>;
  return (
    <details>
      <summary>{t('action.details')}</summary>
      {children}
    </details>
  );
}

/** Lists errors or warnings as buttons that move the cursor to the place. */
function Remarks(props: {
  readonly title: string;
  readonly draft: Draft;
  readonly remarks: readonly Remark[];
  readonly onReach: (remark: Remark) => void;
}) {
  const { title, draft, remarks, onReach } = props;
  const id = useId();
  return (
    <Notice>
      <p id={id} class="label">
        {title}
      </p>
      <ul class="list remarks" aria-labelledby={id}>
        {remarks.map((remark) => (
          <li key={`${remark.clause} ${remark.from} ${remark.message}`}>
            <button type="button" class="link" onClick={() => onReach(remark)}>
              {t('policies.remark', {
                clause: t(`decision.${remark.clause}`),
                ...lineAndColumn(draft[remark.clause], remark.from),
                message: shown(remark.message),
              })}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

export function Notice({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice">
      <Icon name="warning" />
      <div class="content">{children}</div>
    </div>
  );
}
