// Radio buttons for a small number of choices.

import { useId } from 'preact/hooks';

export function Radios<V extends string>(props: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}) {
  const { label, value, options, onChange } = props;
  const id = useId();
  return (
    <div class="field" role="radiogroup" aria-labelledby={id}>
      <span id={id} class="label">
        {label}
      </span>
      <div class="choices">
        {options.map((option) => (
          <label key={option.value} class="checkbox">
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
