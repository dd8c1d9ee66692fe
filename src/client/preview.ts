// The answer to a dry run.

import { type Decision, Untrusted } from './errors.ts';
import type { Activity, Queries } from './generated/operations.ts';
import { outcomes } from './outcome.ts';
import type { Answer } from './transport.ts';

/** A waiting activity in the form of `explain_activity`. */
type Waiting = NonNullable<Queries['explain_activity']['result']['now']>;

/** The result of a dry run, which has no effects. */
export type Preview = {
  readonly outcome: 'done' | 'waiting' | 'refused';
  /** Undefined if the activity would be refused before policies are evaluated. */
  readonly decision: Decision | undefined;
  /** The failure that the execution would report. */
  readonly failure?: Activity['failure'];
  readonly warnings: readonly Readonly<Record<string, unknown>>[];
  /** Users who could approve or reject the activity; empty if it would not wait. */
  readonly voters: Waiting['voters'];
  /** True if the policies are too costly to evaluate for every user. */
  readonly truncated: boolean;
};

/** Parses the answer to a dry run. Throws `Untrusted` for other answers. */
export function previewOf({ body, requestId }: Answer): Preview {
  const dryRun = body['dryRun'] as (Decision & Record<string, unknown>) | undefined;
  if (typeof dryRun?.['status'] !== 'string') {
    throw new Untrusted('ANSWER_MALFORMED', 'the answer is for no dry run', requestId);
  }
  const { status, failure, warnings = [], voters = [], truncated, ...decision } = dryRun;
  return {
    outcome: outcomes[status as string] ?? 'waiting',
    decision: 'reason' in decision ? (decision as unknown as Decision) : undefined,
    ...(failure === undefined ? {} : { failure: failure as Activity['failure'] }),
    warnings: warnings as Preview['warnings'],
    voters: voters as Preview['voters'],
    truncated: truncated === true,
  };
}
