// Dialog "Export". The service seals the secret to a key of this page. The page opens it, and shows it or
// saves it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { newTarget, openExport } from '../../../src/client/bundles.ts';
import { utf8 } from '../../../src/client/bytes.ts';
import type { Client } from '../../../src/client/connect.ts';
import type { Outcome } from '../../../src/client/outcome.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
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
  readonly holds: 'wallet' | 'key' | 'secret';
  /** Label of the field that shows the secret. */
  readonly label: string;
  readonly ask: (client: Client, targetPublicKey: string) => Promise<Outcome<Result>>;
  readonly bundleOf: (result: Result) => string | undefined;
  readonly textOf: (plaintext: Uint8Array) => string;
  /** Returns the content of the file, in the format of the command line. */
  readonly contentOf: (text: string) => string;
};

type Destination = 'file' | 'here';

const minimumCharacters = 12;
const isRemotePage = !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

export function ExportDialog<Result>(props: Exported<Result> & { readonly onClose: () => void }) {
  const { title, name, holds, label, onClose } = props;
  const { client: reader } = useSession();
  const write = useWrite();
  const [destination, setDestination] = useState<Destination>('file');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [text, setText] = useState<string>();
  const [state, setState] = useState<'form' | 'waiting' | 'shown' | 'gone' | 'saved'>('form');
  const closed = useRef(new AbortController());
  useEffect(() => () => closed.current.abort(), []);
  const given = (plaintext: string) => {
    if (destination === 'here') {
      setText(plaintext);
      setState('shown');
      return undefined;
    }
    return saveFile(props, plaintext, passphrase).then(() => setState('saved'));
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
  const isShort = passphrase.length < minimumCharacters;
  const isReady = destination === 'here' || (!isShort && passphrase === again);
  return (
    <Dialog title={title} onClose={onClose}>
      {state === 'shown' && text !== undefined && (
        <Revealed label={label} text={text} onGone={gone} />
      )}
      {state === 'gone' && <p role="status">{t('custody.gone')}</p>}
      {state === 'saved' && <p role="status">{t(`custody.filed.${holds}`)}</p>}
      {state === 'waiting' && <p role="status">{t('custody.exportWaits')}</p>}
      {state === 'form' || state === 'waiting' ? (
        <Form
          write={write}
          request={notCopyable}
          submitLabel={t('custody.export')}
          disabled={!isReady}
          submitButton={WeightyButton}
          onSubmit={() => void start()}
          onCancel={onClose}
        >
          <p>{t(`custody.warning.${holds}`)}</p>
          {isRemotePage && <p class="notice">{t('custody.elsewhere')}</p>}
          <Radios
            label={t('custody.where')}
            value={destination}
            options={[
              { value: 'file', label: t('custody.file') },
              { value: 'here', label: t('custody.here') },
            ]}
            onChange={setDestination}
          />
          {destination === 'file' && (
            <>
              <TextField
                label={t('custody.passphrase')}
                hint={t('custody.passphraseHint', { count: minimumCharacters })}
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

async function saveFile<Result>(
  { holds, name, contentOf }: Exported<Result>,
  text: string,
  passphrase: string,
): Promise<void> {
  const { sealedFile } = await import('./sealed_file.ts');
  const content = utf8(contentOf(text));
  const file = await sealedFile({ holds, name }, content, passphrase);
  downloadText(`${fileName(name)}.sealed.json`, file);
}
