import { deploymentsOf, requireApp } from '../../core/deployments/apps.ts';
import { appStatusView } from '../../core/deployments/views.ts';
import {
  answerInteger,
  answerList,
  answerText,
  object,
  timestamp,
  uuid,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_app_status = query({
  summary: 'Returns the reported status of an application.',
  body: object({ appId: uuid() }),
  response: object({
    appStatus: object({
      appId: answerText(),
      deployments: answerList(
        object({
          deploymentId: answerText(),
          readyReplicas: answerInteger(),
          desiredReplicas: answerInteger(),
          lastUpdatedTime: timestamp(),
        }),
      ),
      targetedDeploymentId: answerText(),
    }),
  }),

  answer: ({ organization, body }) => {
    const app = requireApp(organization, body.appId);
    return { appStatus: appStatusView(app, deploymentsOf(app, organization), organization) };
  },
});
