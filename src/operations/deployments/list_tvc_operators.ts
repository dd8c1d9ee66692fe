import { operatorView } from '../../core/deployments/views.ts';
import { answerList, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { operatorShape } from './deployment_shapes.ts';

export const list_tvc_operators = query({
  summary: 'Lists the operators, oldest first.',
  body: object({}),
  response: object({ tvcOperators: answerList(operatorShape()) }),

  answer: ({ organization }) => ({
    tvcOperators: organization.list('tvc_operator').map(operatorView),
  }),
});
