// Dialog "New MFA policy": the methods that a user must combine, and the activities that require them.

import { useState } from 'preact/hooks';
import type { Submits } from '../../../src/client/generated/operations.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, NameField, TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { known, listText, number, t } from '../../messages/text.ts';
import { ClauseEditor } from '../policies/clause_editor.tsx';
import { problemOf } from '../policies/clauses.ts';
import { Notice } from '../policies/policy_form.tsx';
import { shown } from '../service/activity_text.ts';
import type { User } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';
import { isSessionKey } from './credentials.ts';

type Step = Submits['create_mfa_policy']['parameters']['requiredAuthenticationMethods'][number];
type Method = Step['any'][number];
type Offer = { readonly method: Method; readonly label: string; readonly isHeld: boolean };

/** Maximum steps of a policy, and maximum methods of a step. */
const maximumSteps = 10;
const noSteps: readonly Step[] = [{ any: [] }];

export default function NewMfaPolicy({
  user,
  onClose,
}: {
  readonly user: User;
  readonly onClose: () => void;
}) {
  const { userId, mfaPolicies } = user;
  const [mfaPolicyName, setName] = useState('');
  const [condition, setCondition] = useState('');
  const [order, setOrder] = useState(() =>
    String(Math.max(0, ...mfaPolicies.map((policy) => policy.order + 1))),
  );
  const [notes, setNotes] = useState('');
  const [steps, setSteps] = useState(noSteps);
  const problem = condition === '' ? undefined : problemOf('condition', condition);
  const offers = offersTo(user);
  const unmet = steps.flatMap((step, i) => (canBeMet(step, offers) ? [] : [number(i + 1)]));
  const isWhole = condition !== '' && steps.every(({ any }) => any.length > 0);
  const request = () =>
    requestOf('create_mfa_policy', {
      userId,
      mfaPolicyName,
      condition,
      requiredAuthenticationMethods: steps,
      order: Number(order),
      ...(notes === '' ? {} : { notes }),
    });
  const change = (index: number, step: Step) => setSteps(steps.with(index, step));
  return (
    <RequestDialog
      title={t('users.newMfa')}
      request={request}
      said={t('users.mfaMade', { name: mfaPolicyName })}
      disabled={!isWhole || problem !== undefined}
      onClose={onClose}
    >
      <p>{t('users.newMfaText', { name: shown(user.userName) })}</p>
      <NameField label={t('users.mfaName')} value={mfaPolicyName} onInput={setName} autoFocus />
      <ClauseEditor
        clause="condition"
        label={t('users.mfaCondition')}
        hint={t('users.mfaConditionHint')}
        value={condition}
        onInput={setCondition}
        onReady={() => {}}
      />
      {problem && (
        <p role="status" class="problem">
          {shown(problem.message)}
        </p>
      )}
      {steps.map((step, i) => (
        <StepFields
          // Steps have no id, so the index is the key.
          key={String(i)}
          place={i + 1}
          step={step}
          offers={offers}
          onChange={(next) => change(i, next)}
          onRemove={
            steps.length === 1 ? undefined : () => setSteps(steps.filter((each) => each !== step))
          }
        />
      ))}
      {steps.length < maximumSteps && (
        <div class="buttons">
          <Button icon="plus" onClick={() => setSteps([...steps, { any: [] }])}>
            {t('users.mfaAddStep')}
          </Button>
        </div>
      )}
      <TextField
        label={t('users.mfaOrder')}
        hint={t('users.mfaOrderHint')}
        type="number"
        inputMode="numeric"
        value={order}
        onInput={setOrder}
        required
      />
      <TextField
        label={t('policies.notes')}
        hint={t('wallets.optional')}
        value={notes}
        rows={2}
        maxLength={2000}
        onInput={setNotes}
      />
      {isWhole && unmet.length > 0 && (
        <Notice>
          <p role="status">{t('users.mfaUnmet', { steps: listText(unmet) })}</p>
        </Notice>
      )}
      <p class="hint">{t('users.mfaLockout')}</p>
    </RequestDialog>
  );
}

function StepFields(props: {
  readonly place: number;
  readonly step: Step;
  readonly offers: readonly Offer[];
  readonly onChange: (step: Step) => void;
  readonly onRemove: (() => void) | undefined;
}) {
  const { place, step, offers, onChange, onRemove } = props;
  const { any } = step;
  return (
    <fieldset>
      <legend>{t('users.mfaStep', { place: number(place) })}</legend>
      <div class="choices">
        {offers.map(({ method, label }) => {
          const isChosen = any.some((each) => isSame(each, method));
          return (
            <Checkbox
              key={`${method.type} ${method.id}`}
              label={label}
              checked={isChosen}
              onChange={(choose) =>
                onChange({
                  any: choose
                    ? [...any, method].slice(0, maximumSteps)
                    : any.filter((each) => !isSame(each, method)),
                })
              }
            />
          );
        })}
      </div>
      {onRemove && (
        <Button kind="quiet" label={t('users.mfaRemoveStep', { place })} onClick={onRemove}>
          {t('action.remove')}
        </Button>
      )}
    </fieldset>
  );
}

const isSame = (a: Method, b: Method): boolean => a.type === b.type && a.id === b.id;

/** Lists the kinds of credentials, and the single credentials of the user. */
function offersTo(user: User): readonly Offer[] {
  const { authenticators, oauthProviders } = user;
  const apiKeys = user.apiKeys.filter((key) => !isSessionKey(key));
  const kind = (type: Method['type'], isHeld: boolean): Offer => ({
    method: { type },
    label: known(`method.${type}`, type),
    isHeld,
  });
  const one = (type: Method['type'], id: string, name: string): Offer => ({
    method: { type, id },
    label: t('users.mfaOne', { kind: known(`method.${type}`, type), name: shown(name) }),
    isHeld: true,
  });
  return [
    kind('AUTHENTICATION_TYPE_PASSKEY', authenticators.length > 0),
    ...authenticators.map((each) =>
      one('AUTHENTICATION_TYPE_PASSKEY', each.authenticatorId, each.authenticatorName),
    ),
    kind('AUTHENTICATION_TYPE_API_KEY', apiKeys.length > 0),
    ...apiKeys.map((each) => one('AUTHENTICATION_TYPE_API_KEY', each.apiKeyId, each.apiKeyName)),
    kind('AUTHENTICATION_TYPE_SESSION', true),
    kind('AUTHENTICATION_TYPE_EMAIL_OTP', user.userEmail !== undefined),
    kind('AUTHENTICATION_TYPE_SMS_OTP', user.userPhoneNumber !== undefined),
    kind('AUTHENTICATION_TYPE_OAUTH', oauthProviders.length > 0),
    ...oauthProviders.map((each) =>
      one('AUTHENTICATION_TYPE_OAUTH', each.providerId, each.providerName),
    ),
  ];
}

const canBeMet = ({ any }: Step, offers: readonly Offer[]): boolean =>
  any.some((chosen) => offers.some(({ method, isHeld }) => isHeld && isSame(method, chosen)));
