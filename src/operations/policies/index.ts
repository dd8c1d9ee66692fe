import { create_policies } from './create_policies.ts';
import { create_policy } from './create_policy.ts';
import { delete_policies } from './delete_policies.ts';
import { delete_policy } from './delete_policy.ts';
import { get_active_policies } from './get_active_policies.ts';
import { get_policy } from './get_policy.ts';
import { get_policy_settings } from './get_policy_settings.ts';
import { get_policy_warnings } from './get_policy_warnings.ts';
import { list_policies } from './list_policies.ts';
import { simulate_policies } from './simulate_policies.ts';
import { update_policy } from './update_policy.ts';
import { update_policy_settings } from './update_policy_settings.ts';

export const policyActivities = {
  create_policies,
  create_policy,
  delete_policies,
  delete_policy,
  update_policy,
  update_policy_settings,
};
export const policyQueries = {
  get_active_policies,
  get_policy,
  get_policy_settings,
  get_policy_warnings,
  list_policies,
  simulate_policies,
};
