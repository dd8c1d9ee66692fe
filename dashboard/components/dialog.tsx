// Dialogs use the `dialog` element of the browser, which keeps the focus inside.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** True if the dialog asks for an irreversible action. */
  readonly isAlert?: boolean;
};

/**
 * Opens when it is mounted and closes when it is unmounted. Returns the focus to the element that had it.
 * Escape calls `onClose`.
 */
export function Dialog({ title, onClose, children, isAlert = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    return () => {
      opened?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
