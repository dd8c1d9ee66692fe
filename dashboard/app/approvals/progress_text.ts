// Formats the progress of a waiting activity as sentences.

import type { ApprovalProgress } from '../../../src/client/approval_progress.ts';
import { known, listText, number, oneOfText, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';

export function countText({ own, count, more }: ApprovalProgress): string {
  const counted =
    count === undefined
      ? undefined
      : t('progress.count', { given: number(count.given), needed: number(count.needed) });
  const missing = more === undefined ? undefined : missingText(more);
  switch (own) {
    case 'given': {
      const rest = missing ?? t('progress.moreUnknown');
      const sentence = t('progress.given', { missing: rest });
      return counted === undefined ? sentence : `${counted}. ${sentence}`;
    }
    case 'completes':
      return t('progress.completes', { counted: counted ?? '' });
    default:
      if (counted === undefined || missing === undefined) return t('progress.unknown');
      return t(own === 'counts' ? 'progress.after' : 'progress.missing', { counted, missing });
  }
}

function missingText(count: number): string {
  if (count === 1) return t('progress.one');
  return t('progress.more', { count: known(`progress.number.${count}`, number(count)) });
}

export function namesText({ own, approved, others, alone }: ApprovalProgress): string {
  const you = own === 'completes' || own === 'counts' ? [t('progress.you')] : [];
  const may = [...you, ...others.map(shown)];
  return [
    ...(alone.length === 0
      ? []
      : [t('progress.alone', { names: oneOfText(bounded(alone.map(shown))) })]),
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
