// Section "Sessions": profiles that limit the rights of a session.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useSessionProfiles } from '../service/reads.ts';
import { requestOf, useWrite } from '../service/write.ts';

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
        {(rows) =>
          rows.length === 0 ? (
            <p class="hint">{t('settings.noProfiles')}</p>
          ) : (
            <Table
              name={t('settings.sessions')}
              rows={rows}
              keyOf={({ sessionProfileId }) => sessionProfileId}
              columns={[
                {
                  heading: t('settings.profile'),
                  cell: ({ sessionProfileName }) => shown(sessionProfileName),
                },
                { heading: t('settings.scope'), cell: ({ scope }) => <code>{shown(scope)}</code> },
                {
                  heading: t('settings.longest'),
                  cell: ({ expirationSeconds }) =>
                    expirationSeconds === undefined ? '' : number(Number(expirationSeconds)),
                  isNumber: true,
                },
                {
                  heading: t('settings.profileId'),
                  cell: ({ sessionProfileId }) => <code>{sessionProfileId}</code>,
                },
              ]}
            />
          )
        }
      </Loaded>
      {isNew && <NewProfile onClose={() => setNew(false)} />}
    </Section>
  );
}

function NewProfile({ onClose }: { readonly onClose: () => void }) {
  const write = useWrite();
  const [sessionProfileName, setName] = useState('');
  const [scope, setScope] = useState('false');
  const [expirationSeconds, setSeconds] = useState('');
  const longest = expirationSeconds === '' ? {} : { expirationSeconds };
  const request = () =>
    requestOf('create_session_profile', { sessionProfileName, scope, ...longest });
  const create = async () => {
    const outcome = await write.ask(
      request(),
      t('settings.profileMade', { name: sessionProfileName }),
    );
    if (outcome !== undefined) onClose();
  };
  return (
    <Dialog title={t('settings.newProfile')} onClose={onClose}>
      <Form
        write={write}
        request={request}
        submitLabel={t('action.create')}
        onSubmit={() => void create()}
        onCancel={onClose}
      >
        <TextField
          label={t('settings.profileName')}
          value={sessionProfileName}
          onInput={setName}
          maxLength={255}
          required
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
      </Form>
    </Dialog>
  );
}
