import { create_key_holder } from './create_key_holder.ts';
import { create_organization_key } from './create_organization_key.ts';
import { delete_key_holder } from './delete_key_holder.ts';
import { get_organization_key } from './get_organization_key.ts';
import { seal_organization } from './seal_organization.ts';
import { unseal_organization } from './unseal_organization.ts';

export const organizationKeyActivities = {
  create_organization_key,
  create_key_holder,
  delete_key_holder,
  seal_organization,
  unseal_organization,
};
export const organizationKeyQueries = { get_organization_key };
