// Formats states, names, times and voters of activities, and escapes texts that other people wrote.

import { known, listText, t } from '../../messages/text.ts';
import type { Activity } from './reads.ts';

/** Removes the id that the service appends to the names of its own policies. */
export const nameWithoutId = (name: string): string =>
  name.replace(/(?<=\S) [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '');

export type State = 'done' | 'waiting' | 'refused';

const states: Readonly<Record<string, State>> = {
  ACTIVITY_STATUS_COMPLETED: 'done',
  ACTIVITY_STATUS_FAILED: 'refused',
  ACTIVITY_STATUS_REJECTED: 'refused',
};

export const stateOf = (status: string): State => states[status] ?? 'waiting';
export const stateText = (status: string): string =>
  known(`status.${stateOf(status)}`, status.toLowerCase());

/** Returns the name of the submitter, who casts the first vote. */
export function submitterName({ votes }: Activity): string {
  return shown(votes[0]?.user.userName ?? t('activities.unknownUser'));
}

/** Escapes invisible and bidirectional control characters in a text that other people wrote. */
export function shown(text: string): string {
  return text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Converts a time of the service to milliseconds. */
export function msOf(time: string | { readonly seconds: string }): number {
  return typeof time === 'string' ? Date.parse(time) : Number(time.seconds) * 1000;
}

/** Lists the users who can still approve a waiting activity. Returns undefined if no user can. */
export function mayVoteText(
  voters: readonly { readonly userName: string; readonly canApprove: boolean }[],
): string | undefined {
  const may = voters.filter(({ canApprove }) => canApprove).map(({ userName }) => shown(userName));
  return may.length === 0 ? undefined : t('approvals.mayVote', { names: listText(may) });
}
