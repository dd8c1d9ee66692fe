import { featureNames } from '../../core/base/enums.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerList, object, oneOf } from '../../core/schema/schema.ts';
import { removeFeature } from '../../core/settings/features.ts';
import { activity, wireOf } from '../operation.ts';
import { featureShape } from '../shapes.ts';

export const remove_organization_feature = activity({
  wire: wireOf('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'),
  summary: 'Removes a feature of the organization, which switches off its effect.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({ name: oneOf(featureNames) }),
  result: object({ features: answerList(featureShape()) }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters: { name }, context }) => {
    removeFeature(name, organization, context.now);
    return { features: organization.head.features };
  },
});
