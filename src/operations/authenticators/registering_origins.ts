import type { OrganizationView } from '../../core/organization/state.ts';
import { webauthnOriginsOf } from '../../core/settings/features.ts';

/** The origins of pages that may register passkeys here, as the parent says; undefined: all. */
export async function registeringOrigins(
  organization: OrganizationView,
  services: { readonly parent: () => Promise<OrganizationView | undefined> },
): Promise<readonly string[] | undefined> {
  return webauthnOriginsOf((await services.parent()) ?? organization);
}
