import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

export type ButtonProps = {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly submits?: boolean;
  readonly disabled?: boolean;
  /** True while its action runs. The button then ignores clicks. */
  readonly isBusy?: boolean;
  readonly expanded?: boolean;
  /** Accessible name, if the visible label is ambiguous. Starts with the visible label. */
  readonly label?: string;
  readonly popup?: 'menu' | 'dialog';
  /** `form`: the form that contains the button. */
  readonly onClick?: (form: HTMLFormElement | null) => void;
};

export function Button(props: ButtonProps) {
  const {
    children,
    kind = 'plain',
    icon,
    submits = false,
    disabled = false,
    isBusy = false,
  } = props;
  const { onClick, expanded, popup, label } = props;
  return (
    <button
      type={submits ? 'submit' : 'button'}
      class={`button ${kind}`}
      disabled={disabled}
      aria-busy={isBusy || undefined}
      aria-expanded={expanded}
      aria-haspopup={popup}
      aria-label={label}
      onClick={({ currentTarget }) => {
        if (!isBusy) onClick?.(currentTarget.form);
      }}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
