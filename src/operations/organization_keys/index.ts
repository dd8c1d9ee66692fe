export { create_key_holder } from './create_key_holder.ts';
export { create_organization_key } from './create_organization_key.ts';
export { delete_key_holder } from './delete_key_holder.ts';
export { get_organization_key } from './get_organization_key.ts';
export { seal_organization } from './seal_organization.ts';
export { unseal_organization } from './unseal_organization.ts';
