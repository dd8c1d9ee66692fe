import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { list, object, uuid } from '../../core/schema/schema.ts';
import { checkRootQuorum } from '../../core/settings/root_quorum.ts';
import { activity, wireOf } from '../operation.ts';
import { threshold } from '../shapes.ts';

export const update_root_quorum = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM'),
  summary: 'Sets the members of the root quorum and its threshold.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({ threshold: threshold(), userIds: list(uuid()) }),
  result: object({}),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters, context }) => {
    const rootQuorum = {
      threshold: parameters.threshold,
      userIds: distinctIds(parameters.userIds, 'parameters.userIds'),
    };
    checkRootQuorum(rootQuorum, organization, {
      threshold: 'parameters.threshold',
      userIds: 'parameters.userIds',
    });
    organization.setHead({ rootQuorum, updatedAtMs: context.now });
    return {};
  },
});
