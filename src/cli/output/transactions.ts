// Formats the service's explanation of a transaction.

import { visible } from './output.ts';

type Sentence = { readonly text: string };
type Effect = Sentence & {
  readonly arguments?: readonly { readonly name: string; readonly value: string }[];
};

/** The explanation of the service. It is untrusted, so check every member. */
type Explanation = {
  readonly summary?: unknown;
  readonly effects?: readonly Effect[];
  readonly fee?: Sentence;
  readonly warnings?: readonly Sentence[];
};

/** Returns lines for people, introduced as a statement of the service. */
export function explanationLines(explanation: unknown): readonly string[] {
  if (typeof explanation !== 'object' || explanation === null) {
    return ['The service does not explain the transaction.'];
  }
  const { summary, effects = [], fee, warnings = [] }: Explanation = explanation;
  return [
    'Explanation by the service; this program did not check it:',
    `  ${visible(String(summary))}`,
    ...effects.flatMap(({ text, arguments: given = [] }) => [
      `  - ${visible(String(text))}`,
      ...given.map(({ name, value }) => `      ${visible(`${name}: ${value}`)}`),
    ]),
    ...(fee === undefined ? [] : [`  fee: ${visible(String(fee.text))}`]),
    ...warnings.map(({ text }) => `  warning: ${visible(String(text))}`),
  ];
}
