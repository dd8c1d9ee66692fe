import { deleteApp, requireApp } from '../../core/deployments/apps.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_tvc_app_and_deployments = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_TVC_APP_AND_DEPLOYMENTS'),
  summary:
    'Deletes an application with all its deployments, the live one included; it cannot be restored.',
  subject: { resource: 'TVC_APP', action: 'DELETE' },
  authority: 'none',
  parameters: object({ appId: uuid() }),
  result: object({ appId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const app = requireApp(organization, parameters.appId);
    deleteApp(app, organization, context.now);
    return { appId: app.id };
  },
});
