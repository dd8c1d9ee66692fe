// Shows the effects of a transaction, as the service explains it.

import { visible } from './output.ts';

type Sentence = { readonly text: string };

/** The explanation of the service; every member is read with care, because it is somebody else's word. */
type Explanation = {
  readonly summary?: unknown;
  readonly effects?: readonly Sentence[];
  readonly fee?: Sentence;
  readonly warnings?: readonly Sentence[];
};

/** Lines for people; they say that the service says it. */
export function explanationLines(explanation: unknown): readonly string[] {
  if (typeof explanation !== 'object' || explanation === null) {
    return ['The service does not say what the transaction does.'];
  }
  const { summary, effects = [], fee, warnings = [] }: Explanation = explanation;
  return [
    'What the service says of the transaction; this program did not check it:',
    `  ${visible(String(summary))}`,
    ...effects.map(({ text }) => `  - ${visible(String(text))}`),
    ...(fee === undefined ? [] : [`  fee: ${visible(String(fee.text))}`]),
    ...warnings.map(({ text }) => `  warning: ${visible(String(text))}`),
  ];
}
