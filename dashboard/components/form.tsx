// The form of a dialog or screen: its fields, the error of the last change, and its buttons.

import type { ComponentChildren, ComponentType } from 'preact';
import type { Request, Write } from '../app/service/write.ts';
import { openPrompt } from '../app/session/passkeys.ts';
import { t } from '../messages/text.ts';
import { Button, type ButtonProps } from './button.tsx';
import { CopyAs } from './copy_as.tsx';
import type { IconName } from './icons.tsx';
import { Problem } from './states.tsx';

/** Marks forms whose requests contain a secret or key of this page. They cannot be copied for other tools. */
export const notCopyable = 'not copyable';

export function Form(props: {
  readonly write: Write;
  readonly children: ComponentChildren;
  readonly submitLabel: string;
  readonly submitIcon?: IconName;
  readonly disabled?: boolean;
  /** True if the change is irreversible. */
  readonly isDanger?: boolean;
  /** Set it to `WeightyButton` if an unintended click would do harm. */
  readonly submitButton?: ComponentType<ButtonProps>;
  /** Returns the request to copy, or marks the form with `notCopyable`. */
  readonly request: (() => Request | Promise<Request>) | typeof notCopyable;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
}) {
  const { write, children, submitLabel, submitIcon, disabled = false, onSubmit, onCancel } = props;
  const { isDanger = false, submitButton: Submit = Button, request } = props;
  const { isPending } = write.writing;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit();
      }}
    >
      {children}
      <Outcome write={write} />
      <div class="buttons">
        <Submit
          kind={isDanger ? 'danger' : 'primary'}
          submits
          isBusy={isPending}
          disabled={disabled}
          {...(submitIcon === undefined ? {} : { icon: submitIcon })}
        >
          {submitLabel}
        </Submit>
        {onCancel && !openPrompt.value && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
        <PasskeyPrompt />
      </div>
      {request !== notCopyable && <CopyAs request={request} disabled={disabled} />}
    </form>
  );
}

/** Shows the refusal or the error of the last change. */
export function Outcome({ write }: { readonly write: Write }) {
  const { error, refused } = write.writing;
  return (
    <>
      {refused && <p role="status">{t('state.refused', { what: '' })}</p>}
      {refused && <Problem error={refused} />}
      {error && <Problem error={error} />}
    </>
  );
}

/** Shows that the browser waits for a passkey, with a button to cancel. */
export function PasskeyPrompt() {
  const cancel = openPrompt.value;
  if (cancel === undefined) return null;
  return (
    <span class="prompt">
      <span role="status">{t('passkey.confirm')}</span>
      <Button onClick={cancel}>{t('action.cancel')}</Button>
    </span>
  );
}
