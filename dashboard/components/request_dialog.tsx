// A dialog with the form of one request.

import type { ComponentChildren } from 'preact';
import type { SubmitName } from '../../src/client/connect.ts';
import type { Submits } from '../../src/client/generated/operations.ts';
import type { Outcome } from '../../src/client/outcome.ts';
import { type Request, useWrite } from '../app/service/write.ts';
import { t } from '../messages/text.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

export type RequestDialogProps<N extends SubmitName> = {
  readonly title: string;
  readonly request: () => Request<N>;
  /** The sentence for success. */
  readonly said: string | ((outcome: Outcome<Submits[N]['result']>) => string);
  /** Default: "Create". */
  readonly submitLabel?: string;
  readonly disabled?: boolean;
  /** True if the change is irreversible. */
  readonly isDanger?: boolean;
  readonly onClose: () => void;
  /** Receives the result of a completed request, after the dialog closed. */
  readonly onDone?: (result: Submits[N]['result']) => void;
  /** Explains an irreversible change, above the form. */
  readonly text?: string;
  readonly children: ComponentChildren;
};

/** Sends the request, and closes unless it was refused or failed. */
export function RequestDialog<N extends SubmitName>(props: RequestDialogProps<N>) {
  const { title, request, said, submitLabel = t('action.create'), disabled = false } = props;
  const { isDanger = false, onClose, onDone, text, children } = props;
  const write = useWrite();
  const send = async () => {
    const outcome = await write.ask(request(), said);
    if (outcome === undefined) return;
    onClose();
    if (outcome.outcome === 'done') onDone?.(outcome.result);
  };
  return (
    <Dialog isAlert={isDanger} title={title} onClose={onClose}>
      {text !== undefined && <p>{text}</p>}
      <Form
        write={write}
        request={request}
        submitLabel={submitLabel}
        disabled={disabled}
        isDanger={isDanger}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        {children}
      </Form>
    </Dialog>
  );
}
