// Form fields: a label, the field, and its hint or problem.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Labelled = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
};

type FieldProps = Labelled & {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search';
  readonly autocomplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'email';
  readonly maxLength?: number;
  /** Number of lines. Default: one line. */
  readonly rows?: number;
  readonly isCode?: boolean;
};

export function TextField(props: FieldProps) {
  const { label, hint, problem, value, onInput, rows, isCode = false, type = 'text' } = props;
  const { required = false, autocomplete = 'off', inputMode, maxLength, autoFocus } = props;
  const shared = {
    value,
    required,
    ...(maxLength === undefined ? {} : { maxLength }),
    autocomplete,
    class: isCode ? 'code' : '',
    spellcheck: !isCode,
    // Focuses the field when its dialog opens.
    autofocus: autoFocus === true,
    'aria-invalid': problem !== undefined,
    onInput: (event: Event) =>
      onInput((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
  };
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(id, describedBy) =>
        rows === undefined ? (
          // Preact has a separate type for each `type` of input, so this code needs a cast.
          <input
            {...({ id, type, inputMode, 'aria-describedby': describedBy, ...shared } as object)}
          />
        ) : (
          <textarea id={id} rows={rows} aria-describedby={describedBy} {...shared} />
        )
      }
    </Field>
  );
}

/** A required name of at most 255 characters. */
export const NameField = (props: FieldProps) => <TextField maxLength={255} required {...props} />;

export function SelectField<V extends string>(
  props: Labelled & {
    readonly value: V;
    readonly options: readonly { readonly value: V; readonly label: string }[];
    readonly onChange: (value: V) => void;
  },
) {
  const { label, hint, problem, value, options, onChange } = props;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(id, describedBy) => (
        <select
          id={id}
          value={value}
          aria-describedby={describedBy}
          onChange={({ currentTarget }) => {
            const chosen = options.find((option) => option.value === currentTarget.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function FileField(
  props: Labelled & {
    readonly onFile: (file: File) => void;
    /** Default: JSON. */
    readonly accept?: string;
  },
) {
  const { label, hint, problem, onFile, accept = '.json,application/json' } = props;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(id, describedBy) => (
        <input
          id={id}
          type="file"
          accept={accept}
          aria-describedby={describedBy}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) onFile(file);
            currentTarget.value = '';
          }}
        />
      )}
    </Field>
  );
}

export function Checkbox(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const { label, checked, onChange } = props;
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

function Field(
  props: Labelled & {
    readonly children: (id: string, describedBy: string | undefined) => ComponentChildren;
  },
) {
  const { label, hint, problem, children } = props;
  const id = useId();
  const note = problem ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, note === undefined ? undefined : `${id}-note`)}
      {note !== undefined && (
        <p id={`${id}-note`} class={problem === undefined ? 'hint' : 'problem'}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Check boxes for a selection among named items, by id. */
export function Choices(props: {
  readonly legend: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly children?: ComponentChildren;
}) {
  const { legend, options, chosen, onChange, children } = props;
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="choices">
        {options.map(({ id, label }) => (
          <Checkbox
            key={id}
            label={label}
            checked={chosen.includes(id)}
            onChange={(isChosen) =>
              onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </div>
      {children}
    </fieldset>
  );
}
