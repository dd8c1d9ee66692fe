import type { Warning } from '../../organization/records/transaction_explanation.ts';

/** Returns warnings with unique texts. The last warning with a text wins, at the position of the first. */
export const distinctWarnings = (warnings: readonly Warning[]): readonly Warning[] => [
  ...new Map(warnings.map((warning) => [warning.text, warning])).values(),
];
