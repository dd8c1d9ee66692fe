// A form of a dialog or screen: its fields, its error, and the buttons "submit" and "cancel".

import type { ComponentChildren, ComponentType } from 'preact';
import type { Request, Write } from '../app/service/write.ts';
import { openPrompt } from '../app/session/passkeys.ts';
import { t } from '../messages/text.ts';
import { Button, type ButtonProps } from './button.tsx';
import { CopyAs } from './copy_as.tsx';
import type { IconName } from './icons.tsx';
import { Problem } from './states.tsx';

/** Marks forms whose requests are valid in this page only and are not copied to other tools. */
export const madeHere = 'made here';

export function Form(props: {
  readonly write: Write;
  readonly children: ComponentChildren;
  readonly submitLabel: string;
  readonly submitIcon?: IconName;
  readonly disabled?: boolean;
  /** True if the change cannot be undone. */
  readonly isDanger?: boolean;
  /** Set to `WeightyButton` if an unintended click could submit the form. */
  readonly submitButton?: ComponentType<ButtonProps>;
  /** The change that would be sent; or that it holds a secret of this page, or a key that is made here. */
  readonly request: (() => Request | Promise<Request>) | typeof madeHere;
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
      {request !== madeHere && <CopyAs request={request} disabled={disabled} />}
    </form>
  );
}

/** Shows the error of the last change. */
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
