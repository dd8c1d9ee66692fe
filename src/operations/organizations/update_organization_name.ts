import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, label, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const update_organization_name = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME'),
  summary: 'Renames the organization.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({ organizationName: label() }),
  result: object({ organizationId: answerText(), organizationName: answerText() }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters, context }) => {
    organization.setHead({ name: parameters.organizationName, updatedAtMs: context.now });
    return { organizationId: organization.id, organizationName: parameters.organizationName };
  },
});
