// Screen "API explorer": shows any operation as a form next to its JSON, and runs, sends or copies it.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { QueryName, SubmitName } from '../../../src/client/connect.ts';
import type { Preview } from '../../../src/client/preview.ts';
import { Button } from '../../components/button.tsx';
import { CopyButtons } from '../../components/copy_as.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded, Problem, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { jsonText } from '../activities/json_text.ts';
import { hrefOf } from '../paths.ts';
import { useRead } from '../service/queries.ts';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { ObjectFields } from './fields.tsx';
import { exampleOf, fetchOperations, type Operation, readJson } from './operations.ts';
import { PreviewText } from './preview_text.tsx';

const firstOperation = 'whoami';

export default function Explorer() {
  const { params } = useRoute();
  const { route } = useLocation();
  const name = params['operation'] ?? firstOperation;
  const read = useRead(['operations'], fetchOperations);
  return (
    <Screen heading={t('screen.api')} lead={t('api.lead')}>
      <Loaded read={read}>
        {(operations) => {
          const found = operations.get(name);
          return (
            <>
              <SelectField
                label={t('api.operation')}
                value={name}
                options={[...operations.keys()].map((each) => ({ value: each, label: each }))}
                onChange={(next) => route(hrefOf(`/api/${next}`))}
              />
              {found === undefined ? (
                <Empty text={t('api.unknown')} />
              ) : (
                <Request key={name} operation={found} />
              )}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

type Answer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'preview'; readonly preview: Preview }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'text'; readonly text: string };

function Request({ operation }: { readonly operation: Operation }) {
  const { name, kind, summary, parameters: schema } = operation;
  const { client } = useSession();
  const write = useWrite();
  const [text, setText] = useState(() => jsonOf(exampleOf(schema)));
  const [answer, setAnswer] = useState<Answer>();
  const [isBusy, setBusy] = useState(false);
  const { value, problem } = readJson(text);
  const attempt = async (ask: () => Promise<Answer | undefined>) => {
    setBusy(true);
    setAnswer(undefined);
    try {
      setAnswer(await ask());
    } catch (failure) {
      const error = failure instanceof Error ? failure : new Error(String(failure));
      setAnswer({ kind: 'error', error });
    } finally {
      setBusy(false);
    }
  };
  // The types cannot relate a name to its parameters here; the service checks them by the schema.
  const given = value as never;
  const send = async (): Promise<Answer | undefined> => {
    if (kind === 'query') {
      return { kind: 'json', value: await client.query(name as QueryName, given) };
    }
    const outcome = await write.send((signing) => signing.ask(name as SubmitName, given), name);
    if (outcome === undefined || outcome.outcome === 'refused') return undefined;
    return { kind: 'json', value: outcome.outcome === 'done' ? outcome.result : outcome.activity };
  };
  const tryOut = async (): Promise<Answer> => ({
    kind: 'preview',
    preview: await client.dryRun(name as SubmitName, given),
  });
  const hasMembers = Object.keys(schema.properties ?? {}).length > 0;
  const isWrong = value === undefined;
  return (
    <>
      <p>{summary}</p>
      <div class="columns">
        <fieldset class="content part">
          <legend class="hidden">{t('api.parameters')}</legend>
          {hasMembers ? (
            <ObjectFields
              schema={schema}
              value={value ?? {}}
              onChange={(next) => setText(jsonOf(next))}
            />
          ) : (
            <p class="hint">{t('api.noParameters')}</p>
          )}
        </fieldset>
        <TextField
          label={t('api.json')}
          value={text}
          rows={16}
          isCode
          problem={problem}
          onInput={setText}
        />
      </div>
      <div class="buttons">
        {kind === 'submit' && (
          <Button isBusy={isBusy} disabled={isWrong} onClick={() => void attempt(tryOut)}>
            {t('api.dryRun')}
          </Button>
        )}
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={isWrong}
          onClick={() => void attempt(send)}
        >
          {t('api.send')}
        </Button>
        <CopyButtons
          request={() => ({ kind, name, parameters: value ?? {} })}
          disabled={isWrong}
          run={(copy) => void attempt(async () => ({ kind: 'text', text: await copy() }))}
        />
        <PasskeyPrompt />
      </div>
      <p class="hint">{t('api.curlHint')}</p>
      <Section title={t('api.answer')}>
        <Outcome write={write} />
        {answer === undefined ? (
          <p class="hint">{t('api.noAnswer')}</p>
        ) : (
          <Answered answer={answer} />
        )}
      </Section>
    </>
  );
}

function Answered({ answer }: { readonly answer: Answer }) {
  switch (answer.kind) {
    case 'json':
      return <pre>{jsonText(answer.value)}</pre>;
    case 'preview':
      return <PreviewText preview={answer.preview} />;
    case 'error':
      return <Problem error={answer.error} />;
    case 'text':
      return <pre>{answer.text}</pre>;
  }
}

const jsonOf = (value: unknown): string => JSON.stringify(value, undefined, 2);
