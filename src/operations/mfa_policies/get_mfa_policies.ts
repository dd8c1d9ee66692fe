import { answerList, object, uuid } from '../../core/schema/schema.ts';
import { mfaPoliciesOf } from '../../core/users/mfa_policies_of_user.ts';
import { requireUser } from '../../core/users/users.ts';
import { mfaPolicyView } from '../../core/views/wire.ts';
import { mfaPolicyShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_mfa_policies = query({
  summary: 'Lists the MFA policies of a user, in the order in which they are tried.',
  body: object({ userId: uuid() }),
  response: object({ mfaPolicies: answerList(mfaPolicyShape()) }),

  answer: ({ organization, body: { userId } }) => {
    const { id } = requireUser(organization, userId);
    return { mfaPolicies: mfaPoliciesOf(organization, id).map(mfaPolicyView) };
  },
});
