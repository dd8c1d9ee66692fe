// Section "Root quorum": its members and threshold, and a dry run of a change.

import { useState } from 'preact/hooks';
import type { Preview } from '../../../src/client/preview.ts';
import { Button } from '../../components/button.tsx';
import { Choices, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Terms } from '../../components/small.tsx';
import { Loaded, Problem, Section } from '../../components/states.tsx';
import { listText, t } from '../../messages/text.ts';
import { PreviewText } from '../api/preview_text.tsx';
import { shown } from '../service/activity_text.ts';
import { type Configs, type User, useConfigs, useUsers } from '../service/reads.ts';
import { requestOf, useWrite, useWriter } from '../service/write.ts';
import { isSessionKey } from '../users/credentials.ts';

type Quorum = Configs['quorum'];

export function RootQuorum() {
  const configs = useConfigs();
  const users = useUsers();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title={t('settings.quorum')}
      actions={
        !isChanging && <Button onClick={() => setChanging(true)}>{t('settings.change')}</Button>
      }
    >
      <Loaded read={configs}>
        {({ quorum }) => (
          <Loaded read={users}>
            {(all) =>
              isChanging ? (
                <Change quorum={quorum} users={all} onClose={() => setChanging(false)} />
              ) : (
                <Now quorum={quorum} users={all} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

type Shown = { readonly quorum: Quorum; readonly users: readonly User[] };

function Now({ quorum, users }: Shown) {
  const { threshold, userIds } = quorum;
  return (
    <>
      <Terms
        rows={[
          {
            term: t('settings.threshold'),
            value: t('settings.thresholdOf', { threshold, count: userIds.length }),
          },
          { term: t('settings.members'), value: namesOf(userIds, users) },
        ]}
      />
      <Consequences quorum={quorum} users={users} />
    </>
  );
}

const namesOf = (ids: readonly string[], users: readonly User[]): string =>
  listText(ids.map((id) => shown(users.find(({ userId }) => userId === id)?.userName ?? id)));

function sufficesText(threshold: number, count: number, names: string): string {
  if (count === 1) return t('settings.sufficesAlone', { names });
  if (threshold === 1) return t('settings.sufficesOne', { names });
  return t('settings.suffices', { threshold, names });
}

/** Shows the number of members that must agree, and the losses of keys that would lock the organization. */
function Consequences({ quorum: { threshold, userIds }, users }: Shown) {
  const names = namesOf(userIds, users);
  const spare = userIds.length - threshold;
  const single = userIds.filter((id) => {
    const user = users.find(({ userId }) => userId === id);
    const keys = user?.apiKeys.filter((key) => !isSessionKey(key)) ?? [];
    return keys.length + (user?.authenticators.length ?? 0) === 1;
  });
  return (
    <ul class="list">
      <li>{sufficesText(threshold, userIds.length, names)}</li>
      <li>
        {spare === 0 ? (
          <strong>
            {t(userIds.length === 1 ? 'settings.onlyLost' : 'settings.oneLost', { names })}
          </strong>
        ) : (
          t('settings.someLost', { count: spare + 1 })
        )}
      </li>
      {single.length > 0 && <li>{t('settings.single', { names: namesOf(single, users) })}</li>}
    </ul>
  );
}

function Change({ quorum, users, onClose }: Shown & { readonly onClose: () => void }) {
  // A dry run with a read-only session would be refused, so the passkey stamps it.
  const { writer } = useWriter();
  const write = useWrite();
  const [typed, setTyped] = useState(String(quorum.threshold));
  const [userIds, setUserIds] = useState(quorum.userIds);
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<Error>();
  const threshold = Number(typed);
  const isPossible = threshold >= 1 && threshold <= userIds.length && Number.isInteger(threshold);
  const next = { threshold, userIds };
  const changed = () => {
    setPreview(undefined);
    setError(undefined);
  };
  const tryIt = async () => {
    changed();
    try {
      const dryRunClient = await writer();
      setPreview(await dryRunClient.dryRun('update_root_quorum', next));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  };
  const request = () => requestOf('update_root_quorum', next);
  const save = async () => {
    const outcome = await write.ask(request(), t('settings.quorumChanged'));
    if (outcome !== undefined) onClose();
  };
  return (
    <Form
      write={write}
      request={request}
      submitLabel={t('action.save')}
      disabled={!isPossible}
      onSubmit={() => void save()}
      onCancel={onClose}
    >
      <TextField
        label={t('settings.threshold')}
        hint={t('settings.thresholdHint')}
        problem={isPossible ? undefined : t('settings.thresholdProblem', { count: userIds.length })}
        type="number"
        inputMode="numeric"
        value={typed}
        onInput={(text) => {
          setTyped(text);
          changed();
        }}
        required
        autoFocus
      />
      <Choices
        legend={t('settings.members')}
        options={users.map(({ userId, userName }) => ({ id: userId, label: shown(userName) }))}
        chosen={userIds}
        onChange={(ids) => {
          setUserIds(ids);
          changed();
        }}
      />
      <div>
        <Button disabled={!isPossible} onClick={() => void tryIt()}>
          {t('api.dryRun')}
        </Button>
      </div>
      {error && <Problem error={error} />}
      {preview && (
        <>
          <PreviewText preview={preview} />
          <Consequences quorum={next} users={users} />
        </>
      )}
    </Form>
  );
}
