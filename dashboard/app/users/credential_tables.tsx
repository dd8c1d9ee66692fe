// Tables of the user's credentials: passkeys, API keys, sign-in providers, sessions and MFA policies.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { later } from '../../components/later.tsx';
import { Time } from '../../components/small.tsx';
import { Section } from '../../components/states.tsx';
import { type Columns, Table } from '../../components/table.tsx';
import { known, listText, t } from '../../messages/text.ts';
import { msOf, shown } from '../service/activity_text.ts';
import type { User } from '../service/reads.ts';
import { type Request, requestOf } from '../service/write.ts';
import { useConfig } from '../session/context.ts';
import { expiryMs, isSessionKey } from './credentials.ts';

/** Loaded on demand, because it imports the policy editor. */
const NewMfaPolicy = later(() => import('./mfa_policy.tsx'));

type Kind = 'ApiKey' | 'Passkey' | 'Provider' | 'Session' | 'Factors';
type Chosen = { readonly kind: Kind; readonly id: string; readonly name: string };

export function Credentials({ user }: { readonly user: User }) {
  const [chosen, setChosen] = useState<Chosen>();
  const [isNewMfa, setNewMfa] = useState(false);
  const { passkeyRpId = location.hostname } = useConfig();
  const { authenticators, oauthProviders, mfaPolicies } = user;
  const apiKeys = user.apiKeys.filter((key) => !isSessionKey(key));
  const sessions = user.apiKeys.filter((key) => isSessionKey(key) && isAlive(key));
  const ends =
    <Row,>(kind: Kind, named: (row: Row) => readonly [id: string, name: string]) =>
    (row: Row) => {
      const [id, name] = named(row);
      return (
        <Button
          kind="quiet"
          popup="dialog"
          label={t(`users.delete.${kind}`, { name: shown(name) })}
          onClick={() => setChosen({ kind, id, name })}
        >
          {endText(kind)}
        </Button>
      );
    };
  const ofKeys = (kind: 'ApiKey' | 'Session'): Columns<ApiKey> => ({
    [t('users.keyName')]: ({ apiKeyName }) => shown(apiKeyName),
    [t('users.publicKey')]: ({ credential }) => <code>{credential.publicKey}</code>,
    [t('users.created')]: Created,
    [t('users.expires')]: Expiry,
    [t('action.actions')]: ends(kind, (key) => [key.apiKeyId, key.apiKeyName]),
  });
  return (
    <>
      <Part
        name={t('users.apiKeys')}
        rows={apiKeys}
        none={t('users.noApiKeys')}
        keyOf={keyId}
        columns={ofKeys('ApiKey')}
      />
      <Part
        name={t('users.passkeys')}
        rows={authenticators}
        none={t('users.noPasskeys', { rpId: passkeyRpId })}
        keyOf={({ authenticatorId }) => authenticatorId}
        columns={{
          [t('users.passkeyName')]: (row) => shown(row.authenticatorName),
          [t('users.model')]: ({ model }) => shown(model),
          [t('users.created')]: Created,
          [t('action.actions')]: ends('Passkey', (row: Passkey) => [
            row.authenticatorId,
            row.authenticatorName,
          ]),
        }}
      />
      <Part
        name={t('users.sessions')}
        rows={sessions}
        none={t('users.noSessions')}
        keyOf={keyId}
        columns={ofKeys('Session')}
      />
      <Part
        name={t('users.providers')}
        rows={oauthProviders}
        none={t('users.noProviders')}
        keyOf={({ providerId }) => providerId}
        columns={{
          [t('users.provider')]: ({ providerName }) => shown(providerName),
          [t('users.issuer')]: ({ issuer }) => shown(issuer),
          [t('users.subject')]: ({ subject }) => shown(subject),
          [t('action.actions')]: ends('Provider', (row: Provider) => [
            row.providerId,
            row.providerName,
          ]),
        }}
      />
      <Part
        name={t('users.mfa')}
        actions={
          <Button icon="plus" popup="dialog" onClick={() => setNewMfa(true)}>
            {t('users.newMfa')}
          </Button>
        }
        rows={mfaPolicies}
        none={t('users.noMfa')}
        keyOf={({ mfaPolicyId }) => mfaPolicyId}
        columns={{
          [t('users.mfaPolicy')]: ({ mfaPolicyName }) => shown(mfaPolicyName),
          [t('users.mfaCondition')]: ({ condition }) => <code>{shown(condition)}</code>,
          [t('users.mfaMethods')]: methodsText,
          [t('action.actions')]: ends('Factors', (row: MfaPolicy) => [
            row.mfaPolicyId,
            row.mfaPolicyName,
          ]),
        }}
      />
      {isNewMfa && <NewMfaPolicy user={user} onClose={() => setNewMfa(false)} />}
      {chosen && <Delete user={user} chosen={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

const endText = (kind: Kind): string => t(kind === 'Session' ? 'users.end' : 'action.delete');

type ApiKey = User['apiKeys'][number];
type Passkey = User['authenticators'][number];
type Provider = User['oauthProviders'][number];
type MfaPolicy = User['mfaPolicies'][number];
const keyId = ({ apiKeyId }: ApiKey): string => apiKeyId;

function isAlive(key: ApiKey): boolean {
  const ends = expiryMs(key);
  return ends === undefined || ends > Date.now();
}

const Created = ({ createdAt }: { readonly createdAt: { readonly seconds: string } }) => (
  <Time ms={msOf(createdAt)} />
);

function Expiry(key: ApiKey) {
  const ends = expiryMs(key);
  if (ends === undefined) return t('lifetime.never');
  return (
    <>
      <Time ms={ends} /> {ends <= Date.now() && <span class="hint">{t('users.expired')}</span>}
    </>
  );
}

/** Lists the required methods, each with its alternatives. */
const methodsText = ({ requiredAuthenticationMethods }: MfaPolicy): string =>
  listText(
    requiredAuthenticationMethods.map(({ any }) =>
      any.map(({ type }) => known(`method.${type}`, type)).join(` ${t('users.or')} `),
    ),
  );

function Part<Row>(props: {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly none: string;
  readonly keyOf: (row: Row) => string;
  readonly columns: Columns<Row>;
  readonly actions?: ComponentChildren;
}) {
  const { name, rows, none, keyOf, columns, actions } = props;
  return (
    <Section title={name} actions={actions}>
      <Table
        empty={<p class="hint">{none}</p>}
        name={name}
        rows={rows}
        keyOf={keyOf}
        columns={columns}
      />
    </Section>
  );
}

type Removal = (userId: string, id: string) => Request;

const removeKey: Removal = (userId, id) =>
  requestOf('delete_api_keys', { userId, apiKeyIds: [id] });

const removals: Readonly<Record<Kind, Removal>> = {
  ApiKey: removeKey,
  Session: removeKey,
  Passkey: (userId, id) => requestOf('delete_authenticators', { userId, authenticatorIds: [id] }),
  Provider: (userId, id) => requestOf('delete_oauth_providers', { userId, providerIds: [id] }),
  Factors: (userId, id) => requestOf('delete_mfa_policy', { userId, mfaPolicyId: id }),
};

function Delete(props: {
  readonly user: User;
  readonly chosen: Chosen;
  readonly onClose: () => void;
}) {
  const { user, chosen, onClose } = props;
  const { kind, id, name } = chosen;
  const { userId } = user;
  const request = () => removals[kind](userId, id);
  return (
    <Confirm
      title={t(`users.delete.${kind}`, { name: shown(name) })}
      name={name}
      text={t(`users.lost.${kind}`)}
      request={request}
      said={t('users.credentialDeleted', { name: shown(name) })}
      submitLabel={endText(kind)}
      onClose={onClose}
    />
  );
}
