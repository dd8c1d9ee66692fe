// Allowed targets of links in e-mails: only pages that the organization has named.

import type { OrganizationView } from '../organization/state.ts';
import { authProxyConfigOf } from './auth_proxy.ts';
import { webauthnOriginsOf } from './features.ts';

/**
 * The pages of an organization and its children: those its passkeys are used on, and those that its
 * onboarding proxy lists one by one. None by default, and `*` names none.
 */
export function linkOriginsOf(organization: OrganizationView): readonly string[] {
  const { allowedOrigins = [] } = authProxyConfigOf(organization)?.settings ?? {};
  return [...(webauthnOriginsOf(organization) ?? []), ...listedOrigins(allowedOrigins)];
}

function listedOrigins(allowedOrigins: readonly string[]): readonly string[] {
  return allowedOrigins.filter((origin) => origin !== '*');
}
