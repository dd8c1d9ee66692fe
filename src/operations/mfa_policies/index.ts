export { create_mfa_policy } from './create_mfa_policy.ts';
export { delete_mfa_policy } from './delete_mfa_policy.ts';
export { get_mfa_policies } from './get_mfa_policies.ts';
export { get_mfa_policy } from './get_mfa_policy.ts';
export { get_mfa_status } from './get_mfa_status.ts';
export { update_mfa_policy } from './update_mfa_policy.ts';
