import { answerList, object } from '../../core/schema/schema.ts';
import { policyView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { policyShape } from './policy_shapes.ts';

export const list_policies = query({
  summary: 'Lists the policies of the organization, oldest first.',
  body: object({}),
  response: object({ policies: answerList(policyShape()) }),

  answer: ({ organization }) => ({ policies: organization.list('policy').map(policyView) }),
});
