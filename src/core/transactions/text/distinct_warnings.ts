import type { Warning } from '../../organization/records/transaction_explanation.ts';

/** Returns each warning once, by its text, at the place of the first. The last one of a text counts. */
export const distinctWarnings = (warnings: readonly Warning[]): readonly Warning[] => [
  ...new Map(warnings.map((warning) => [warning.text, warning])).values(),
];
