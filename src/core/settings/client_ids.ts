// An organization's applications at identity providers.

import type { OrganizationView } from '../organization/state.ts';
import { authProxyConfigOf } from './auth_proxy.ts';

/**
 * Returns the client IDs of the organization's applications, from its onboarding proxy and its OAuth 2.0
 * credentials. None by default.
 */
export function clientIdsOf(organization: OrganizationView): readonly string[] {
  const { socialLinkingClientIds = [], walletKitSettings } =
    authProxyConfigOf(organization)?.settings ?? {};
  return [
    ...socialLinkingClientIds,
    ...Object.values(walletKitSettings?.oauthClientIds ?? {}),
    ...organization.list('oauth2_credential').map(({ clientId }) => clientId),
  ];
}
