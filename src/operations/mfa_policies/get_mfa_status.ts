import { answerList, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireUser } from '../../core/users/users.ts';
import { mfaStatusView } from '../../core/views/wire.ts';
import { requireActivity } from '../activities/require_activity.ts';
import { mfaStatusShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_mfa_status = query({
  summary: 'Returns the credentials that users must still show for a waiting activity.',
  body: object({ activityId: uuid(), userId: optional(uuid()) }),
  response: object({ mfaStatuses: answerList(mfaStatusShape()) }),

  answer: async ({ organization, body, read, mfaStatuses }) => {
    const activity = await requireActivity(body.activityId, organization, read);
    const { userId } = body;
    const of = userId === undefined ? undefined : requireUser(organization, userId).id;
    return { mfaStatuses: (await mfaStatuses(activity, of)).map(mfaStatusView) };
  },
});
