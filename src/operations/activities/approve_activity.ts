import { vote } from '../operation.ts';
import { voteParameters } from './vote_parameters.ts';

export const approve_activity = vote({
  type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
  intent: 'approveActivityIntent',
  selection: 'VOTE_SELECTION_APPROVED',
  summary:
    'Approves an activity that waits for votes; the vote that completes the consensus executes it.',
  parameters: voteParameters(),
});
