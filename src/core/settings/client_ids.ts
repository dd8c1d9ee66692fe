// Applications at identity providers that belong to an organization.

import type { OrganizationView } from '../organization/state.ts';
import { authProxyConfigOf } from './auth_proxy.ts';

/**
 * The client IDs of the organization's applications: those that its onboarding proxy lists, and those
 * of its OAuth 2.0 credentials. None by default.
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
