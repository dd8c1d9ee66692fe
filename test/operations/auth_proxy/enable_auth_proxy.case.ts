import { changedPolicySet, hasFeature, idsWhere } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ENABLE_AUTH_PROXY',
  subject: 'AUTH_PROXY CREATE',
  rule: 'policies',
  calls: [{ by: 'unrelated', parameters: () => ({}) }],
  generate: { weight: 1, parameters: () => ({}) },
  effect: ({ result: { userId }, after }) => ({
    ...changedPolicySet(after),
    created: {
      user: [userId],
      api_key: idsWhere(after, 'api_key', (key) => key.userId === userId),
      policy: 1,
      policy_set: 1,
      auth_proxy_config: 1,
    },
    facts: {
      ...changedPolicySet(after).facts,
      'it is on': hasFeature(after, 'FEATURE_NAME_AUTH_PROXY'),
      'its user is not of the quorum': !after.head.rootQuorum.userIds.includes(userId),
      'it is found by the name it had': after.rows.auth_proxy_config.has(
        after.head.authProxyConfigId ?? '',
      ),
    },
  }),
});
