import { vote } from '../operation.ts';
import { voteParameters } from './vote_parameters.ts';

export const reject_activity = vote({
  type: 'ACTIVITY_TYPE_REJECT_ACTIVITY',
  intent: 'rejectActivityIntent',
  selection: 'VOTE_SELECTION_REJECTED',
  summary: 'Rejects an activity that waits for votes; the rejection is final.',
  parameters: voteParameters(),
});
