import { featureNames } from '../../core/base/enums.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerList, object, oneOf, text } from '../../core/schema/schema.ts';
import { maximumFeatureCharacters, setFeature } from '../../core/settings/features.ts';
import { activity, wireOf } from '../operation.ts';
import { featureShape } from '../shapes.ts';

export const set_organization_feature = activity({
  wire: wireOf('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'),
  summary: 'Sets a feature of the organization and replaces an earlier value.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({
    name: oneOf(featureNames),
    value: text({
      maximum: maximumFeatureCharacters,
      description: 'see [organization features](#organization-features)',
    }),
  }),
  result: object({ features: answerList(featureShape()) }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters: { name, value }, context }) => {
    setFeature({ name, value }, organization, context.now, 'parameters.value');
    return { features: organization.head.features };
  },
});
