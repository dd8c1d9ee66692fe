// The path of an activity: request, votes, and the outcome or the votes that it waits for.

import { Time } from '../../components/small.tsx';
import { oneOfText, t } from '../../messages/text.ts';
import { msOf, shown, stateOf, submitterName } from '../service/activity_text.ts';
import type { Activity, Explanation } from '../service/reads.ts';

type Step = {
  readonly text: string;
  readonly state: 'done' | 'waiting' | 'refused';
  readonly ms?: number;
};

/** The drawing repeats the texts, which assistive technology reads as a list. */
export function Path(props: {
  readonly activity: Activity;
  readonly explanation: Explanation | undefined;
}) {
  const steps = stepsOf(props.activity, props.explanation);
  return (
    <ol class="path" aria-label={t('path.title')}>
      {steps.map(({ text, state, ms }, i) => (
        <li key={text} class="path-step">
          <svg class={`step ${state}`} viewBox="0 0 20 20" aria-hidden="true">
            {i > 0 && <path d="M10-12V4" />}
            <circle cx="10" cy="10" r="6" />
          </svg>
          <span>
            {text} {ms !== undefined && <Time ms={ms} />}
          </span>
        </li>
      ))}
    </ol>
  );
}

function stepsOf(activity: Activity, explanation: Explanation | undefined): readonly Step[] {
  const [first, ...votes] = activity.votes;
  const end = stateOf(activity.status);
  return [
    {
      text: t('path.requested', { user: submitterName(activity) }),
      state: 'done',
      ms: msOf(first?.createdAt ?? activity.createdAt),
    },
    ...votes.map(({ selection, user, createdAt }): Step => {
      const isRejected = selection === 'VOTE_SELECTION_REJECTED';
      return {
        text: t(isRejected ? 'path.rejected' : 'path.approved', { user: shown(user.userName) }),
        state: isRejected ? 'refused' : 'done',
        ms: msOf(createdAt),
      };
    }),
    { text: end === 'waiting' ? waitingText(explanation) : t(`path.${end}`), state: end },
  ];
}

function waitingText(explanation: Explanation | undefined): string {
  const may = explanation?.now?.voters.filter(({ canApprove }) => canApprove) ?? [];
  if (may.length === 0) return t('path.waits');
  return t('path.waitsFor', { users: oneOfText(may.map(({ userName }) => shown(userName))) });
}
