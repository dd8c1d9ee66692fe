import { requireDeployment, setLive } from '../../core/deployments/deployments.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const set_tvc_app_live_deployment = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_TVC_APP_LIVE_DEPLOYMENT'),
  summary:
    'Sets the live deployment of an application to one that was approved, and replaces the former.',
  subject: { resource: 'TVC_APP', action: 'UPDATE' },
  authority: 'none',
  parameters: object({ deploymentId: uuid() }),
  result: object({}),

  apply: ({ organization, parameters, context }) => {
    setLive(requireDeployment(organization, parameters.deploymentId), organization, context.now);
    return {};
  },
});
