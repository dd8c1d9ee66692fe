// What lies outside the service, as far as the settings let it be reached.

import { fail } from '../core/errors.ts';
import type { Outside } from '../core/outside.ts';
import type { Settings } from '../settings.ts';

/** The world of a deployment. */
export function createOutside(_settings: Settings): Outside {
  return {
    issuerKeys: async (issuer) => fail('oidc_issuer_unavailable', { issuer }),
    deliver: async () => undefined,
    fetch: async () => fail('oauth2_provider_unavailable'),
    verifyCaptcha: async () => false,
  };
}
