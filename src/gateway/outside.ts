// What lies outside the service, as far as the settings let it be reached.

import { fail } from '../core/errors.ts';
import type { Outside } from '../core/outside.ts';
import type { Settings } from '../settings.ts';
import type { Delivery } from './messages/delivery.ts';
import { createNameLookup } from './outbound/name_lookup.ts';
import { refusedTarget } from './webhooks/refused_target.ts';

/** The world of a deployment. */
export function createOutside(
  { allowPrivateTargets }: Settings,
  { deliver }: Pick<Delivery, 'deliver'>,
): Outside {
  const rules = { allowPrivateTargets };
  const lookup = createNameLookup(rules);
  return {
    issuerKeys: async (issuer) => fail('oidc_issuer_unavailable', { issuer }),
    deliver: async (messages) => {
      for (const message of messages) deliver(message);
    },
    fetch: async () => fail('oauth2_provider_unavailable'),
    refusedTarget: (url) => refusedTarget(url, rules, lookup),
    verifyCaptcha: async () => false,
  };
}
