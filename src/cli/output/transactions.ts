// Shows the effects of a transaction, as the service explains it.

import { visible } from './output.ts';

type Sentence = { readonly text: string };
type Effect = Sentence & {
  readonly arguments?: readonly { readonly name: string; readonly value: string }[];
};

/** The explanation of the service. It is untrusted, so every member is checked. */
type Explanation = {
  readonly summary?: unknown;
  readonly effects?: readonly Effect[];
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
    ...effects.flatMap(({ text, arguments: given = [] }) => [
      `  - ${visible(String(text))}`,
      ...given.map(({ name, value }) => `      ${visible(`${name}: ${value}`)}`),
    ]),
    ...(fee === undefined ? [] : [`  fee: ${visible(String(fee.text))}`]),
    ...warnings.map(({ text }) => `  warning: ${visible(String(text))}`),
  ];
}
