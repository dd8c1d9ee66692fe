import { answerList, object, uuid } from '../../core/schema/schema.ts';
import { requireActivity } from '../activities/require_activity.ts';
import { query } from '../operation.ts';
import { appProofShape } from './proof_shapes.ts';

export const list_app_proofs = query({
  summary:
    'Lists the app proofs of an activity; the list is empty if the request did not ask for proofs.',
  body: object({ activityId: uuid() }),
  response: object({ appProofs: answerList(appProofShape()) }),

  answer: async ({ organization, body, read }) => {
    const { appProofs = [] } = await requireActivity(body.activityId, organization, read);
    return { appProofs };
  },
});
