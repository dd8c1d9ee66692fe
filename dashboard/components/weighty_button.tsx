import { useAttention } from './attention.ts';
import { Button, type ButtonProps } from './button.tsx';

/** A button with serious consequences. It ignores clicks that `useAttention` rejects. */
export function WeightyButton(props: ButtonProps) {
  const { wasReady, isAttended } = useAttention();
  const guard = (event: Event) => {
    if (isAttended()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span onClickCapture={guard}>
      <Button {...props} disabled={props.disabled === true || !wasReady} />
    </span>
  );
}
