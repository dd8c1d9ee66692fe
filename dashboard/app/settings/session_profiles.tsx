// Section "Sessions": profiles that limit the rights of a session.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { NameField, TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useSessionProfiles } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

export function SessionProfiles() {
  const read = useSessionProfiles();
  const [isNew, setNew] = useState(false);
  return (
    <Section
      title={t('settings.sessions')}
      actions={
        <Button icon="plus" popup="dialog" onClick={() => setNew(true)}>
          {t('settings.newProfile')}
        </Button>
      }
    >
      <Loaded read={read}>
        {(rows) => (
          <Table
            empty={<p class="hint">{t('settings.noProfiles')}</p>}
            name={t('settings.sessions')}
            rows={rows}
            keyOf={({ sessionProfileId }) => sessionProfileId}
            columns={{
              [t('settings.profile')]: ({ sessionProfileName }) => shown(sessionProfileName),
              [t('settings.scope')]: ({ scope }) => <code>{shown(scope)}</code>,
              [t('settings.longest')]: {
                number: ({ expirationSeconds }) =>
                  expirationSeconds === undefined ? '' : number(Number(expirationSeconds)),
              },
              [t('settings.profileId')]: ({ sessionProfileId }) => <code>{sessionProfileId}</code>,
            }}
          />
        )}
      </Loaded>
      {isNew && <NewProfile onClose={() => setNew(false)} />}
    </Section>
  );
}

function NewProfile({ onClose }: { readonly onClose: () => void }) {
  const [sessionProfileName, setName] = useState('');
  const [scope, setScope] = useState('false');
  const [expirationSeconds, setSeconds] = useState('');
  const longest = expirationSeconds === '' ? {} : { expirationSeconds };
  const request = () =>
    requestOf('create_session_profile', { sessionProfileName, scope, ...longest });
  return (
    <RequestDialog
      title={t('settings.newProfile')}
      request={request}
      said={t('settings.profileMade', { name: sessionProfileName })}
      onClose={onClose}
    >
      <NameField
        label={t('settings.profileName')}
        value={sessionProfileName}
        onInput={setName}
        autoFocus
      />
      <TextField
        label={t('settings.scope')}
        hint={t('settings.scopeHint')}
        value={scope}
        onInput={setScope}
        rows={2}
        isCode
        required
      />
      <TextField
        label={t('settings.longest')}
        hint={t('wallets.optional')}
        type="number"
        inputMode="numeric"
        value={expirationSeconds}
        onInput={setSeconds}
      />
    </RequestDialog>
  );
}
