import { requireDeployment } from '../../core/deployments/deployments.ts';
import { deploymentView } from '../../core/deployments/views.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { deploymentShape } from './deployment_shapes.ts';

export const get_tvc_deployment = query({
  summary: 'Returns a deployment, also a deleted one, with its manifest and approvals.',
  body: object({ deploymentId: uuid() }),
  response: object({ tvcDeployment: deploymentShape() }),

  answer: ({ organization, body }) => ({
    tvcDeployment: deploymentView(requireDeployment(organization, body.deploymentId), organization),
  }),
});
