import { requirePolicy } from '../../core/policy/policies.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { policyView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { policyShape } from './policy_shapes.ts';

export const get_policy = query({
  summary: 'Returns a policy; an expression that is not set is empty.',
  body: object({ policyId: uuid() }),
  response: object({ policy: policyShape() }),

  answer: ({ organization, body }) => ({
    policy: policyView(requirePolicy(organization, body.policyId)),
  }),
});
