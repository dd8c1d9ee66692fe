import { createScope } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_SESSION_PROFILE',
  subject: 'SESSION_PROFILE CREATE',
  rule: 'policies',
  calls: [
    {
      by: 'parent',
      parameters: () => ({ sessionProfileName: label, scope: 'true', expirationSeconds: '60' }),
    },
  ],
  generate: {
    weight: 0.5,
    parameters: ({ choice, serial }) => ({
      sessionProfileName: `Profile ${serial}`,
      scope: choice.pick([createScope, 'true']),
    }),
  },
  effect: ({ intent, result, after }) => ({
    created: { session_profile: [result.sessionProfileId] },
    facts: {
      'it is as described':
        after.rows.session_profile.get(result.sessionProfileId)?.scope === intent.scope,
    },
  }),
});
