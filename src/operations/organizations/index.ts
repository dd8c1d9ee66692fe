import { create_sub_organization } from './create_sub_organization.ts';
import { delete_sub_organization } from './delete_sub_organization.ts';
import { get_organization } from './get_organization.ts';
import { get_organization_configs } from './get_organization_configs.ts';
import { list_suborgs } from './list_suborgs.ts';
import { list_verified_suborgs } from './list_verified_suborgs.ts';
import { remove_organization_feature } from './remove_organization_feature.ts';
import { set_organization_feature } from './set_organization_feature.ts';
import { update_organization_name } from './update_organization_name.ts';
import { update_root_quorum } from './update_root_quorum.ts';

export const organizationActivities = {
  create_sub_organization,
  delete_sub_organization,
  remove_organization_feature,
  set_organization_feature,
  update_organization_name,
  update_root_quorum,
};
export const organizationQueries = {
  get_organization,
  get_organization_configs,
  list_suborgs,
  list_verified_suborgs,
};
