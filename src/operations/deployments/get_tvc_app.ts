import { requireApp } from '../../core/deployments/apps.ts';
import { appView } from '../../core/deployments/views.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { appShape } from './deployment_shapes.ts';

export const get_tvc_app = query({
  summary: 'Returns an application, also a deleted one.',
  body: object({ tvcAppId: uuid() }),
  response: object({ tvcApp: appShape() }),

  answer: ({ organization, body }) => ({
    tvcApp: appView(requireApp(organization, body.tvcAppId), organization),
  }),
});
