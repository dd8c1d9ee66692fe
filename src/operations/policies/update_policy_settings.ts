import { failedDenyModes } from '../../core/organization/model.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { object, oneOf } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const update_policy_settings = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_POLICY_SETTINGS'),
  summary:
    'Sets what a DENY policy does when one of its expressions fails: it refuses the activity (the default), or it is skipped. Not part of the common interface.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({ failedDeny: oneOf(failedDenyModes) }),
  result: object({ failedDeny: oneOf(failedDenyModes) }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters: { failedDeny }, context }) => {
    organization.setHead({ failedDeny, updatedAtMs: context.now });
    return { failedDeny };
  },
});
