// The settings for clients that were written for another service of the API family, or for a newer version.

import { activityTimesChoices } from '../core/base/compatibility.ts';
import { choice, toggle } from './kinds.ts';

export const compatibilitySettings = {
  unboundTokens: toggle({
    variable: 'KEYWRIGHT_UNBOUND_TOKENS',
    fallback: false,
    sentence: 'Accepts verification tokens that are bound to no key, for the first clients.',
  }),
  unboundIdentities: toggle({
    variable: 'KEYWRIGHT_UNBOUND_IDENTITIES',
    fallback: false,
    sentence:
      'Accepts ID tokens of any age, and used ones, that register an identity although their nonce names no key of the caller; anyone who reads the token can register it.',
  }),
  unknownMembers: choice({
    variable: 'KEYWRIGHT_UNKNOWN_MEMBERS',
    choices: ['warn', 'refuse'],
    fallback: 'warn',
    sentence:
      'Accepts requests with members that this version does not know and names them in warnings, or refuses the requests.',
  }),
  activityTimes: choice({
    variable: 'KEYWRIGHT_ACTIVITY_TIMES',
    choices: activityTimesChoices,
    fallback: 'by-client',
    sentence:
      'Form of the times of activities: text unless a client identifies itself, or objects for all clients, as the hosted service answers.',
  }),
};
