// Confirms an irreversible action: states the loss, and requires the user to type the name of the thing.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SubmitName } from '../../src/client/connect.ts';
import { shown } from '../app/service/activity_text.ts';
import { t } from '../messages/text.ts';
import { TextField } from './field.tsx';
import { RequestDialog, type RequestDialogProps } from './request_dialog.tsx';

export function Confirm<N extends SubmitName>(
  props: Omit<RequestDialogProps<N>, 'disabled' | 'isDanger' | 'children'> & {
    readonly text: string;
    readonly name: string;
    /** Fields above the name field. */
    readonly children?: ComponentChildren;
  },
) {
  const { children, submitLabel = t('action.delete'), ...dialog } = props;
  const name = shown(props.name);
  const [typed, setTyped] = useState('');
  return (
    <RequestDialog {...dialog} submitLabel={submitLabel} disabled={typed !== name} isDanger>
      {children}
      <TextField
        label={t('action.typeToConfirm', { name })}
        value={typed}
        onInput={setTyped}
        autoFocus
      />
    </RequestDialog>
  );
}
