import { useAttention } from './attention.ts';
import { Button, type ButtonProps } from './button.tsx';

/** A button of consequence. It ignores clicks that the person did not intend. */
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
