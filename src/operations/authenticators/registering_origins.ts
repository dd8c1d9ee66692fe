import type { OrganizationView } from '../../core/organization/state.ts';
import { webauthnOriginsOf } from '../../core/settings/features.ts';

/** Returns the page origins that may register passkeys, as the parent sets them; undefined: all. */
export async function registeringOrigins(
  organization: OrganizationView,
  services: { readonly parent: () => Promise<OrganizationView | undefined> },
): Promise<readonly string[] | undefined> {
  return webauthnOriginsOf((await services.parent()) ?? organization);
}
