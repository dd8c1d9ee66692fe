// Dialog "Export": the service seals the secret to a key of this page, which opens, shows or saves it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { newTarget, openExport } from '../../../src/client/bundles.ts';
import { utf8 } from '../../../src/client/bytes.ts';
import type { Client } from '../../../src/client/connect.ts';
import type { Outcome } from '../../../src/client/outcome.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, madeHere } from '../../components/form.tsx';
import { Radios } from '../../components/radios.tsx';
import { WeightyButton } from '../../components/weighty_button.tsx';
import { t } from '../../messages/text.ts';
import { downloadText, fileName } from '../service/download.ts';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { Revealed } from './revealed.tsx';

type Exported<Result> = {
  readonly title: string;
  readonly name: string;
  /** Kind of secret in the file. */
  readonly holds: 'wallet' | 'key' | 'secret';
  /** The label of the secret where it is shown. */
  readonly label: string;
  readonly ask: (client: Client, targetPublicKey: string) => Promise<Outcome<Result>>;
  readonly bundleOf: (result: Result) => string | undefined;
  readonly textOf: (plaintext: Uint8Array) => string;
  /** Returns the content of the file, as the command line writes it. */
  readonly contentOf: (text: string) => string;
};

type Way = 'file' | 'here';

const fewestCharacters = 12;
const isElsewhere = !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

export function ExportDialog<Result>(props: Exported<Result> & { readonly onClose: () => void }) {
  const { title, name, holds, label, onClose } = props;
  const { client: reader } = useSession();
  const write = useWrite();
  const [way, setWay] = useState<Way>('file');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [text, setText] = useState<string>();
  const [state, setState] = useState<'asked' | 'waiting' | 'shown' | 'gone' | 'filed'>('asked');
  const closed = useRef(new AbortController());
  useEffect(() => () => closed.current.abort(), []);
  const given = (plaintext: string) => {
    if (way === 'here') {
      setText(plaintext);
      setState('shown');
      return undefined;
    }
    return filed(props, plaintext, passphrase).then(() => setState('filed'));
  };
  const start = () =>
    write.send(
      async (client) => {
        const target = await newTarget();
        const outcome = await props.ask(client, target.publicKey);
        if (outcome.outcome === 'refused') return outcome;
        if (outcome.outcome === 'waiting') setState('waiting');
        const result =
          outcome.outcome === 'done'
            ? outcome.result
            : await outcome.error.settled({ signal: closed.current.signal });
        const plaintext = await openExport(reader, props.bundleOf(result) ?? '', target);
        const opened = props.textOf(plaintext);
        plaintext.fill(0);
        await given(opened);
        return { outcome: 'done', result, activity: outcome.activity, warnings: [] };
      },
      t('custody.exported', { name }),
    );
  const gone = () => {
    setText(undefined);
    setState('gone');
  };
  const isShort = passphrase.length < fewestCharacters;
  const isReady = way === 'here' || (!isShort && passphrase === again);
  return (
    <Dialog title={title} onClose={onClose}>
      {state === 'shown' && text !== undefined && (
        <Revealed label={label} text={text} onGone={gone} />
      )}
      {state === 'gone' && <p role="status">{t('custody.gone')}</p>}
      {state === 'filed' && <p role="status">{t(`custody.filed.${holds}`)}</p>}
      {state === 'waiting' && <p role="status">{t('custody.exportWaits')}</p>}
      {state === 'asked' || state === 'waiting' ? (
        <Form
          write={write}
          request={madeHere}
          submitLabel={t('custody.export')}
          disabled={!isReady}
          submitButton={WeightyButton}
          onSubmit={() => void start()}
          onCancel={onClose}
        >
          <p>{t(`custody.warning.${holds}`)}</p>
          {isElsewhere && <p class="notice">{t('custody.elsewhere')}</p>}
          <Radios
            label={t('custody.where')}
            value={way}
            options={[
              { value: 'file', label: t('custody.file') },
              { value: 'here', label: t('custody.here') },
            ]}
            onChange={setWay}
          />
          {way === 'file' && (
            <>
              <TextField
                label={t('custody.passphrase')}
                hint={t('custody.passphraseHint', { count: fewestCharacters })}
                type="password"
                autocomplete="new-password"
                value={passphrase}
                onInput={setPassphrase}
              />
              <TextField
                label={t('custody.again')}
                problem={again === '' || again === passphrase ? undefined : t('custody.differs')}
                type="password"
                autocomplete="new-password"
                value={again}
                onInput={setAgain}
              />
            </>
          )}
        </Form>
      ) : (
        <div class="buttons">
          <Button onClick={onClose}>{t('action.close')}</Button>
        </div>
      )}
    </Dialog>
  );
}

async function filed<Result>(
  { holds, name, contentOf }: Exported<Result>,
  text: string,
  passphrase: string,
): Promise<void> {
  const { sealedFile } = await import('./sealed_file.ts');
  const content = utf8(contentOf(text));
  const file = await sealedFile({ holds, name }, content, passphrase);
  downloadText(`${fileName(name)}.sealed.json`, file);
}
