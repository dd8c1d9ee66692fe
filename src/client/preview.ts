// The answer to a dry run.

import { type Decision, Untrusted } from './errors.ts';
import type { Activity, Queries } from './generated/operations.ts';
import { outcomes } from './outcome.ts';
import type { Answer } from './transport.ts';

/** An activity that waits, as `explain_activity` shows it. */
type Waiting = NonNullable<Queries['explain_activity']['result']['now']>;

/** The result of a dry run; nothing happened. */
export type Preview = {
  readonly outcome: 'done' | 'waiting' | 'refused';
  /** Absent where the activity would be refused before policies are asked. */
  readonly decision: Decision | undefined;
  /** Why it would fail. */
  readonly failure?: Activity['failure'];
  readonly warnings: readonly Readonly<Record<string, unknown>>[];
  /** Users who could approve or reject the activity; empty where it would not wait. */
  readonly voters: Waiting['voters'];
  /** True where its policies are too costly to ask about every user. */
  readonly truncated: boolean;
};

/** Reads the answer to a dry run. Raises `Untrusted` for any other answer. */
export function previewOf({ body, requestId }: Answer): Preview {
  const dryRun = body['dryRun'] as (Decision & Record<string, unknown>) | undefined;
  if (typeof dryRun?.['status'] !== 'string') {
    throw new Untrusted('ANSWER_MALFORMED', 'the answer is not that of a dry run', requestId);
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
