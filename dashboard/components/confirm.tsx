// Confirms an irreversible action: states the loss, and requires the user to type the name of the thing.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shown } from '../app/service/activity_text.ts';
import type { Request, Write } from '../app/service/write.ts';
import { t } from '../messages/text.ts';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';

export function Confirm(props: {
  readonly title: string;
  readonly text: string;
  readonly name: string;
  readonly write: Write;
  readonly request: () => Request;
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Fields above the name field. */
  readonly children?: ComponentChildren;
}) {
  const { title, text, write, request, submitLabel, onSubmit, onClose, children } = props;
  const name = shown(props.name);
  const [typed, setTyped] = useState('');
  return (
    <Dialog isAlert title={title} onClose={onClose}>
      <p>{text}</p>
      <Form
        write={write}
        request={request}
        submitLabel={submitLabel}
        disabled={typed !== name}
        isDanger
        onSubmit={onSubmit}
        onCancel={onClose}
      >
        {children}
        <TextField
          label={t('action.typeToConfirm', { name })}
          value={typed}
          onInput={setTyped}
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
