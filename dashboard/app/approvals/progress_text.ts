// Formats the progress of a waiting activity as sentences.

import type { ApprovalProgress } from '../../../src/client/approval_progress.ts';
import { known, listText, number, oneOfText, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';

export function countText(progress: ApprovalProgress): string {
  const { own, count } = progress;
  if (count === undefined) return uncountedText(progress);
  const { given, needed, more } = count;
  const counted = t('progress.count', { given: number(given), needed: number(needed) });
  const missing = missingText(more);
  switch (own) {
    case 'given':
      return `${counted}. ${t('progress.given', { missing })}`;
    case 'completes':
      return t('progress.completes', { counted });
    default:
      return t(own === 'counts' ? 'progress.after' : 'progress.missing', { counted, missing });
  }
}

/** Describes the effect of single approvals, for a rule that is not a plain count. */
function uncountedText({ own, alone, isSeveral }: ApprovalProgress): string {
  if (own === 'completes') return t('progress.ownCompletes');
  const given = own === 'given' ? `${t('progress.youApproved')} ` : '';
  if (alone.length > 0) return `${given}${aloneText('progress.single', alone)}`;
  return `${given}${t(isSeveral ? 'progress.several' : 'progress.unknown')}`;
}

const aloneText = (key: 'progress.single' | 'progress.alone', names: readonly string[]): string =>
  t(key, { names: oneOfText(bounded(names.map(shown))) });

function missingText(count: number): string {
  if (count === 1) return t('progress.one');
  return t('progress.more', { count: known(`progress.number.${count}`, number(count)) });
}

export function namesText(progress: ApprovalProgress): string {
  const { own, count, approved, others, alone } = progress;
  const you = own === 'completes' || own === 'counts' ? [t('progress.you')] : [];
  const may = [...you, ...others.map(shown)];
  return [
    // Without a count, the first sentence names these users.
    ...(alone.length === 0 || count === undefined ? [] : [aloneText('progress.alone', alone)]),
    ...(approved.length === 0
      ? []
      : [t('progress.approved', { names: listText(bounded(approved.map(shown))) })]),
    ...(may.length === 0 ? [] : [t('progress.may', { names: oneOfText(bounded(may)) })]),
  ].join(' ');
}

/** Maximum number of displayed names; further names are only counted. */
const maximumNames = 10;

function bounded(names: readonly string[]): readonly string[] {
  if (names.length <= maximumNames) return names;
  const hidden = number(names.length - maximumNames);
  return [...names.slice(0, maximumNames), t('progress.hidden', { count: hidden })];
}
