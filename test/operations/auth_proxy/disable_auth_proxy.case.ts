import {
  changedPolicySet,
  deletedWithUsers,
  hasFeature,
  idsWhere,
  rowsIn,
} from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DISABLE_AUTH_PROXY',
  subject: 'AUTH_PROXY DELETE',
  rule: 'policies',
  calls: [{ by: 'parent', parameters: () => ({}) }],
  generate: { weight: 1.5, parameters: () => ({}) },
  effect: ({ before, after }) => {
    const [config] = rowsIn(before, 'auth_proxy_config');
    const userIds = idsWhere(before, 'user', ({ id }) => id === config?.userId);
    const policy = idsWhere(before, 'policy', ({ id }) => id === config?.policyId);
    return {
      ...changedPolicySet(after),
      created: { policy_set: policy.length },
      deleted: {
        auth_proxy_config: config === undefined ? [] : [config.id],
        ...deletedWithUsers(before, userIds),
        policy,
      },
      facts: {
        ...(policy.length === 0 ? {} : changedPolicySet(after).facts),
        'it is off': !hasFeature(after, 'FEATURE_NAME_AUTH_PROXY'),
      },
    };
  },
});
