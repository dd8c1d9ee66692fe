import {
  appFacts,
  deletedRegistry,
  hasOperators,
  idsWhere,
  newIds,
} from '../../simulation/effect_parts.ts';
import { rowsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';
import { describedApp, describedSet } from './deployment_requests.ts';

export default activityCase({
  types: 'CREATE_TVC_APP',
  subject: 'TVC_APP CREATE',
  rule: 'policies',
  calls: [
    { parameters: () => describedApp({ name: label }) },
    {
      parameters: ({ operatorSetId: manifestSetId }) => ({
        ...describedApp({ name: label }),
        manifestSetParams: null,
        manifestSetId,
      }),
    },
    {
      parameters: ({ operatorId }) => ({
        ...describedApp({ name: label }),
        manifestSetParams: { name: label, existingOperatorIds: [operatorId], threshold: 1 },
      }),
    },
  ],
  generate: {
    weight: 1.5,
    parameters: (world) => {
      const { manifestSetParams, ...app } = describedApp({
        name: `Application ${world.serial}`,
        manifestSetParams: describedSet(['Ada', 'Bob', 'Eve'], 1 + world.choice.below(2)),
      });
      const [set] = world.choice.some(rowsOf(world, 'tvc_operator_set'), 1);
      return set !== undefined && world.choice.chance(0.3)
        ? { ...app, manifestSetId: set.id }
        : { ...app, manifestSetParams };
    },
  },
  effect: ({ intent, result, before, after }) => ({
    created: {
      tvc_app: [result.appId],
      tvc_operator_set: newIds(before, 'tvc_operator_set', [
        result.manifestSetId,
        result.shareSetId,
      ]),
      tvc_operator: newIds(before, 'tvc_operator', [
        ...result.manifestSetOperatorIds,
        ...result.shareSetOperatorIds,
      ]),
    },
    facts: {
      ...appFacts(after),
      'it has its name': after.rows.tvc_app.get(result.appId)?.name === intent.name,
      'no other has its name':
        idsWhere(before, 'tvc_app', (app) => app.name === intent.name && !app.isDeleted).length ===
        0,
      'its manifest set is the one asked for':
        (intent.manifestSetId ?? result.manifestSetId) === result.manifestSetId,
      'its operators are the ones asked for':
        hasOperators(after, result.manifestSetId, intent.manifestSetParams) &&
        hasOperators(after, result.shareSetId, intent.shareSetParams),
    },
    mayGo: deletedRegistry(before),
  }),
});
