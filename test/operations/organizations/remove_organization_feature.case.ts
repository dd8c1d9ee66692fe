import { featuresOf, hasFeature, sameOthers, unusedLogins } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'REMOVE_ORGANIZATION_FEATURE',
  subject: 'ORGANIZATION UPDATE',
  // The documents of public clients list it among the operations of the root quorum.
  rule: 'quorum',
  calls: [{ parameters: () => ({ name: 'FEATURE_NAME_EMAIL_AUTH' }) }],
  generate: {
    weight: 1,
    parameters: ({ choice, state }) => ({
      name: choice.pick([
        'FEATURE_NAME_WEBHOOK',
        ...state.head.features.map((feature) => feature.name),
      ]),
    }),
  },
  effect: ({ intent, result, before, after }) => ({
    head: true,
    ...(hasFeature(after, 'FEATURE_NAME_EMAIL_AUTH')
      ? {}
      : { deleted: { api_key: unusedLogins(before) } }),
    facts: {
      'it had the feature': hasFeature(before, intent.name),
      'it has it no more': !hasFeature(after, intent.name),
      'the other features stay': sameOthers(before, after, intent.name),
      'the result is the list': JSON.stringify(result.features) === featuresOf(after),
    },
  }),
});
