import { deploymentsOf, requireApp } from '../../core/deployments/apps.ts';
import { deploymentView } from '../../core/deployments/views.ts';
import { answerList, object, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { deploymentShape } from './deployment_shapes.ts';

export const list_tvc_app_deployments = query({
  summary: 'Lists the deployments of an application, oldest first, deleted ones included.',
  body: object({ appId: uuid() }),
  response: object({ tvcDeployments: answerList(deploymentShape()) }),

  answer: ({ organization, body }) => ({
    tvcDeployments: deploymentsOf(requireApp(organization, body.appId), organization).map(
      (deployment) => deploymentView(deployment, organization),
    ),
  }),
});
