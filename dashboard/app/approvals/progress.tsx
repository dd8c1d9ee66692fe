// The progress of a waiting activity in one line: the counted approvals, and users who approved or still may.

import { approvalProgress } from '../../../src/client/approval_progress.ts';
import type { Explanation } from '../service/reads.ts';
import { useSession } from '../session/context.ts';
import { countText, namesText } from './progress_text.ts';

/** Shows nothing before the explanation is loaded, and for an activity that does not wait. */
export function Progress(props: { readonly explanation: Explanation | undefined }) {
  const { userId } = useSession();
  const progress = props.explanation && approvalProgress(props.explanation, userId);
  if (progress === undefined) return null;
  return (
    <p class="progress">
      <strong>{countText(progress)}</strong> {namesText(progress)}
    </p>
  );
}
