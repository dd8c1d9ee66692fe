import { webauthnOriginsOf } from '../../core/features.ts';
import type { OrganizationView } from '../../core/organization.ts';

/** The origins of pages that may register passkeys here, as the parent says; undefined: all. */
export async function registeringOrigins(
  organization: OrganizationView,
  services: { readonly parent: () => Promise<OrganizationView | undefined> },
): Promise<readonly string[] | undefined> {
  return webauthnOriginsOf((await services.parent()) ?? organization);
}
