// Options of commands, as parsing and help read them.

type OptionKind = 'text' | 'texts' | 'switch';

export type Option = {
  readonly kind: OptionKind;
  readonly summary: string;
  /** Name of the value in help, as in `--to FILE`. */
  readonly value?: string;
};

/** Creates an option with one value. */
export const option = (value: string, summary: string) =>
  ({ kind: 'text', value, summary }) as const;

/** Creates an option that may be given several times. */
export const repeatable = (value: string, summary: string) =>
  ({ kind: 'texts', value, summary }) as const;

/** Creates an option without a value. */
export const flag = (summary: string) => ({ kind: 'switch', summary }) as const;
