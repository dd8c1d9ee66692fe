import { featuresOf, sameOthers } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'SET_ORGANIZATION_FEATURE',
  subject: 'ORGANIZATION UPDATE',
  // The documents of public clients list it among the operations of the root quorum.
  rule: 'quorum',
  calls: [{ parameters: () => ({ name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example' }) }],
  generate: {
    weight: 1,
    parameters: ({ choice, serial }) =>
      choice.pick([
        { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' },
        { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' },
        { name: 'FEATURE_NAME_EMAIL_RECOVERY', value: '' },
        { name: 'FEATURE_NAME_WEBHOOK', value: `https://hooks.example/${serial}` },
      ]),
  },
  effect: ({ intent, result, before, after }) => ({
    head: true,
    facts: {
      'it has the feature with its value': after.head.features.some(
        ({ name, value }) => name === intent.name && value === intent.value,
      ),
      'the other features stay': sameOthers(before, after, intent.name),
      'the result is the list': JSON.stringify(result.features) === featuresOf(after),
    },
  }),
});
