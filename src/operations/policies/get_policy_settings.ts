import { failedDenyModes } from '../../core/organization/model.ts';
import { object, oneOf } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_policy_settings = query({
  summary:
    'Returns what a DENY policy does when one of its expressions fails. Not part of the common interface.',
  body: object({}),
  response: object({ policySettings: object({ failedDeny: oneOf(failedDenyModes) }) }),

  answer: ({ organization: { head } }) => ({
    policySettings: { failedDeny: head.failedDeny ?? 'FAILED_DENY_REFUSES' },
  }),
});
