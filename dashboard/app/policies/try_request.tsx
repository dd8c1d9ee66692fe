// Dialog "Try one request": predicts the decision and its reasons. Nothing is signed or stored.

import { useRef, useState } from 'preact/hooks';
import type { SubmitName } from '../../../src/client/connect.ts';
import type { Preview } from '../../../src/client/preview.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Loaded, Problem } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { exampleOf, fetchOperations, type Operation, readJson } from '../api/operations.ts';
import { PreviewText } from '../api/preview_text.tsx';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useUsers } from '../service/reads.ts';
import { useSession } from '../session/context.ts';
import type { PolicyTexts } from './local_decision.ts';
import type { LocalOutcome } from './local_outcome.ts';

/** The policy in an editor, not saved. `policyId`: the stored policy that it replaces. */
type DraftPolicy = PolicyTexts & { readonly policyId?: string | undefined };

export function TryRequest(props: {
  /** Undefined while the policy has errors. Then only the service decides. */
  readonly draft: DraftPolicy | undefined;
  readonly onClose: () => void;
}) {
  const { draft, onClose } = props;
  const read = useRead(['operations'], fetchOperations);
  return (
    <Dialog title={t('policies.tryOne')} onClose={onClose}>
      <p class="hint">{t('policies.tryOneHint')}</p>
      <Loaded read={read}>
        {(all) => <Request operations={[...all.values()].filter(isSubmit)} draft={draft} />}
      </Loaded>
      <Button onClick={onClose}>{t('action.close')}</Button>
    </Dialog>
  );
}

const isSubmit = ({ kind }: Operation): boolean => kind === 'submit';

function Request(props: {
  readonly operations: readonly Operation[];
  readonly draft: DraftPolicy | undefined;
}) {
  const { operations, draft } = props;
  const { client, userId: ownId } = useSession();
  const { data: users = [] } = useUsers();
  const [userId, setUser] = useState(ownId);
  const [name, setName] = useState('sign_raw_payload');
  const [text, setText] = useState(() => startOf(operations, name));
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const [localOutcome, setLocalOutcome] = useState<LocalOutcome>();
  const { value, problem } = readJson(text);
  const latestRequest = useRef(0);
  /**
   * Clears the results, and discards the answers to earlier requests. Returns the number of the new request.
   */
  const forget = (): number => {
    setPreview(undefined);
    setLocalOutcome(undefined);
    setError(undefined);
    setBusy(false);
    latestRequest.current += 1;
    return latestRequest.current;
  };
  const ask = async () => {
    if (value === undefined) return;
    const thisRequest = forget();
    const show = (update: () => void) => thisRequest === latestRequest.current && update();
    const fail = (error: unknown) =>
      show(() => setError(error instanceof Error ? error : new Error(String(error))));
    setBusy(true);
    const decided = decideWithDraft(value).then(
      (answer) => show(() => setLocalOutcome(answer)),
      fail,
    );
    // The service can only predict requests of the signed-in user.
    if (userId === ownId) {
      // The types cannot relate a name to its parameters; the service checks them by the schema.
      const answer = client.dryRun(name as SubmitName, value as never);
      await answer.then((preview) => show(() => setPreview(preview)), fail);
    }
    await decided;
    show(() => setBusy(false));
  };
  const decideWithDraft = async (parameters: Record<string, unknown>) => {
    if (draft === undefined) return undefined;
    const { describeLocalOutcome } = await import('./local_outcome.ts');
    return describeLocalOutcome(client, { name, parameters, userId }, draft);
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <SelectField
        label={t('api.operation')}
        value={name}
        options={operations.map((each) => ({ value: each.name, label: each.name }))}
        onChange={(next) => {
          setName(next);
          setText(startOf(operations, next));
          forget();
        }}
      />
      {draft !== undefined && users.length > 1 && (
        <SelectField
          label={t('policies.askedBy')}
          value={userId}
          options={users.map((each) => ({ value: each.userId, label: shown(each.userName) }))}
          onChange={(next) => {
            setUser(next);
            forget();
          }}
        />
      )}
      <TextField
        label={t('api.parameters')}
        value={text}
        rows={10}
        isCode
        problem={problem}
        onInput={(next) => {
          setText(next);
          forget();
        }}
      />
      {error && <Problem error={error} />}
      {preview && (
        <>
          <h3>{t('policies.asSaved')}</h3>
          <PreviewText preview={preview} />
        </>
      )}
      {localOutcome && (
        <>
          <h3>{t('policies.withDraft')}</h3>
          <div class="content">
            <p role="status">
              <strong>{localOutcome.sentence}</strong>
            </p>
            {localOutcome.notes.map((note) => (
              <p key={note} class="hint">
                {shown(note)}
              </p>
            ))}
          </div>
        </>
      )}
      <div class="buttons">
        <Button kind="primary" submits isBusy={isBusy} disabled={value === undefined}>
          {t('api.dryRun')}
        </Button>
      </div>
    </form>
  );
}

function startOf(operations: readonly Operation[], name: string): string {
  const found = operations.find((each) => each.name === name);
  return JSON.stringify(found === undefined ? {} : exampleOf(found.parameters), undefined, 2);
}
