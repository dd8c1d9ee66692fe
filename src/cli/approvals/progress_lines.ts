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
    ...(alone.length === 0 || progress.count === undefined
      ? []
      : [`  A single approval also completes it, by: ${namesText(alone)}`]),
    `  Approved by: ${namesText(approved)}`,
    `  May still approve: ${namesText(may)}`,
  ];
}

function countText(progress: ApprovalProgress): string {
  const { own, count } = progress;
  if (count === undefined) return uncountedText(progress);
  const counted = `${count.given} of ${count.needed} approvals`;
  if (own === 'completes') return `${counted}, yours completes it.`;
  const needed = neededText(count.more);
  if (own === 'given') return `${counted}. You have approved; ${needed}.`;
  return `${counted}, ${needed}${own === 'counts' ? ' after yours' : ''}.`;
}

/** Describes the effect of single approvals, for a rule that is not a plain count. */
function uncountedText({ own, alone, isSeveral }: ApprovalProgress): string {
  if (own === 'completes') return 'Your approval completes it.';
  const given = own === 'given' ? 'You have approved. ' : '';
  if (alone.length > 0) return `${given}A single approval completes it, by: ${namesText(alone)}`;
  return `${given}${isSeveral ? 'At least two more' : 'More'} approvals are needed.`;
}

function neededText(more: number): string {
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
