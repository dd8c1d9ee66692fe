import { create_mfa_policy } from './create_mfa_policy.ts';
import { delete_mfa_policy } from './delete_mfa_policy.ts';
import { get_mfa_policies } from './get_mfa_policies.ts';
import { get_mfa_policy } from './get_mfa_policy.ts';
import { get_mfa_status } from './get_mfa_status.ts';
import { update_mfa_policy } from './update_mfa_policy.ts';

export const mfaPolicyActivities = { create_mfa_policy, update_mfa_policy, delete_mfa_policy };
export const mfaPolicyQueries = { get_mfa_policies, get_mfa_policy, get_mfa_status };
