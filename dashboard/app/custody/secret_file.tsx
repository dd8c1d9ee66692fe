// The file field of import forms.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Bytes } from '../../../src/client/bytes.ts';
import { Button } from '../../components/button.tsx';
import { FileField, TextField } from '../../components/field.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import type { Holds, SecretInFile } from './secret_in_file.ts';

/** Maximum file size. Every sealed or unsealed secret is smaller. */
const maximumBytes = 256 * 1024;

type SecretFile = {
  readonly holds: Holds;
  /** Undefined until the user chooses a file. */
  readonly name: string | undefined;
  readonly isSealed: boolean;
  readonly problem: string | undefined;
  readonly passphrase: string;
  readonly setPassphrase: (text: string) => void;
  readonly choose: (file: File) => void;
  readonly forget: () => void;
  /** Returns the secret, which the caller overwrites. Throws an error with a sentence for the user. */
  readonly open: () => Promise<SecretInFile>;
};

type Chosen = { readonly name: string; readonly bytes: Bytes; readonly isSealed: boolean };

/** Reads a chosen file in this page. Overwrites its bytes when the user removes it or leaves the form. */
export function useSecretFile(holds: Holds): SecretFile {
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const [passphrase, setPassphrase] = useState('');
  const chosenBytes = useRef<Bytes>(undefined);
  useEffect(() => () => void chosenBytes.current?.fill(0), []);
  const forget = () => {
    chosenBytes.current?.fill(0);
    setChosen(undefined);
    setPassphrase('');
  };
  const choose = async (file: File) => {
    forget();
    const { isSealed } = await import('./secret_in_file.ts');
    const isRead = file.size <= maximumBytes;
    setProblem(isRead ? undefined : t('custody.fileWrong'));
    if (!isRead) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    chosenBytes.current = bytes;
    setChosen({ name: file.name, bytes, isSealed: isSealed(bytes) });
  };
  return {
    holds,
    problem,
    passphrase,
    setPassphrase,
    forget,
    name: chosen?.name,
    isSealed: chosen?.isSealed === true,
    choose: (file) => void choose(file),
    open: async () => {
      const { secretInFile } = await import('./secret_in_file.ts');
      // Pass a copy, which `secretInFile` overwrites: the user may try again after an error.
      return secretInFile(chosen?.bytes.slice() ?? new Uint8Array(), holds, passphrase);
    },
  };
}

export function SecretFileFields({ file }: { readonly file: SecretFile }) {
  const { holds, name, problem, isSealed, passphrase } = file;
  if (name === undefined) {
    return (
      <FileField
        label={t('custody.fromFile')}
        hint={t(`custody.fileHint.${holds}`)}
        problem={problem}
        accept=""
        onFile={file.choose}
      />
    );
  }
  return (
    <>
      <p role="status">{t('custody.fileChosen', { name: shown(name) })}</p>
      <div class="buttons">
        <Button onClick={file.forget}>{t('custody.fileForget')}</Button>
      </div>
      {isSealed && (
        <TextField
          label={t('custody.passphrase')}
          type="password"
          value={passphrase}
          onInput={file.setPassphrase}
          required
        />
      )}
    </>
  );
}
