import { appView } from '../../core/deployments/views.ts';
import { answerList, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { appShape } from './deployment_shapes.ts';

export const list_tvc_apps = query({
  summary: 'Lists the applications, oldest first, deleted ones included.',
  body: object({}),
  response: object({ tvcApps: answerList(appShape()) }),

  answer: ({ organization }) => ({
    tvcApps: organization.list('tvc_app').map((app) => appView(app, organization)),
  }),
});
