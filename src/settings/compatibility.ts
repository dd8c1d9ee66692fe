// The settings for clients that were written for another service of the API family, or for a newer version.

import { activityTimesChoices } from '../core/base/compatibility.ts';
import { choice, toggle } from './kinds.ts';

export const compatibilitySettings = {
  unboundTokens: toggle({
    variable: 'KEYWRIGHT_UNBOUND_TOKENS',
    fallback: false,
    sentence:
      'Issues and accepts verification tokens of the first version that are not bound to a key.',
  }),
  unboundIdentities: toggle({
    variable: 'KEYWRIGHT_UNBOUND_IDENTITIES',
    fallback: false,
    sentence:
      'Lets ID tokens register an identity although their nonce names no key of the caller, also old and used tokens; anyone who reads such a token can register its identity.',
  }),
  unknownMembers: choice({
    variable: 'KEYWRIGHT_UNKNOWN_MEMBERS',
    choices: ['warn', 'refuse'],
    fallback: 'warn',
    sentence:
      'Handling of request members that this version does not know: `warn` accepts the request and names them in warnings, `refuse` rejects it.',
  }),
  activityTimes: choice({
    variable: 'KEYWRIGHT_ACTIVITY_TIMES',
    choices: activityTimesChoices,
    fallback: 'by-client',
    sentence:
      'Form of the times in activities. `by-client`: text, or objects for clients that identify themselves in headers; `objects`: objects for all clients, as the hosted service sends.',
  }),
};
