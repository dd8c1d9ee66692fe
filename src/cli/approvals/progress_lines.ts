// Formats the progress of a waiting activity: `1 of 2 approvals, yours completes it.`

import { type ApprovalProgress, approvalProgress } from '../../client/approval_progress.ts';
import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import { visible } from '../output/output.ts';

/** Returns no lines if the activity does not wait, or if the service rejects a query. */
export async function readProgressLines(
  client: Client,
  activityId: string,
): Promise<readonly string[]> {
  try {
    const explained = await client.query('explain_activity', { activityId });
    if (explained.now === undefined) return [];
    const { userId } = await client.query('whoami', {});
    const progress = approvalProgress(explained, userId);
    return progress === undefined ? [] : progressLines(progress);
  } catch (error) {
    if (error instanceof RequestFailed) return [];
    throw error;
  }
}

export function progressLines(progress: ApprovalProgress): readonly string[] {
  const { approved, others, own, alone } = progress;
  const may = [...(own === 'completes' || own === 'counts' ? ['you'] : []), ...others];
  return [
    `  ${countText(progress)}`,
    ...(alone.length === 0
      ? []
      : [`  A single approval also completes it, by: ${namesText(alone)}`]),
    `  Approved by: ${namesText(approved)}`,
    `  May still approve: ${namesText(may)}`,
  ];
}

function countText({ own, count, more }: ApprovalProgress): string {
  const counted = count === undefined ? '' : `${count.given} of ${count.needed} approvals`;
  const rest = restText(own, more);
  if (own === 'given') return counted === '' ? rest : `${counted}. ${rest}`;
  return counted === '' ? rest : `${counted}, ${rest}`;
}

function restText(own: ApprovalProgress['own'], more: number | undefined): string {
  if (own === 'completes') return 'yours completes it.';
  if (own === 'given') return `You have approved; ${neededText(more)}.`;
  if (more === undefined) return 'More approvals are needed.';
  return `${neededText(more)}${own === 'counts' ? ' after yours' : ''}.`;
}

function neededText(more: number | undefined): string {
  if (more === undefined) return 'more approvals are needed';
  return more === 1 ? 'one more is needed' : `${words[more] ?? more} more are needed`;
}

const words = ['no', 'one', 'two', 'three', 'four', 'five'];

const maximumNames = 10;

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, maximumNames).map(visible).join(', ');
  const hidden = names.length - maximumNames;
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}
