import { activePolicies } from '../../core/policy/decision/active_policies.ts';
import { answerList, answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_active_policies = query({
  summary: 'Returns which policies are in force now, as their `time` clauses say.',
  body: object({}),
  response: object({
    statuses: answerList(
      object({
        organizationId: answerText(),
        policyId: answerText(),
        active: boolean(),
        timeExpr: optional(answerText()),
        error: optional(answerText()),
      }),
    ),
    evaluatedAtMs: answerText(),
  }),

  answer: ({ organization, services }) => {
    const now = services.clock();
    return { statuses: [...activePolicies(organization, now)], evaluatedAtMs: String(now) };
  },
});
