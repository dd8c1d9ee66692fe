// Allowed targets of links in e-mails: only pages that the organization has named.

import type { OrganizationView } from '../organization/state.ts';
import { authProxyConfigOf } from './auth_proxy.ts';
import { webauthnOriginsOf } from './features.ts';

/**
 * Returns the origins of an organization's pages: the origins of its passkeys, and those that its onboarding
 * proxy lists. None by default; `*` does not count.
 */
export function linkOriginsOf(organization: OrganizationView): readonly string[] {
  const { allowedOrigins = [] } = authProxyConfigOf(organization)?.settings ?? {};
  return [...(webauthnOriginsOf(organization) ?? []), ...listedOrigins(allowedOrigins)];
}

function listedOrigins(allowedOrigins: readonly string[]): readonly string[] {
  return allowedOrigins.filter((origin) => origin !== '*');
}
