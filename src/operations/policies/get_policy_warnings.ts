import { policyWarnings } from '../../core/policy/lint/policy_warnings.ts';
import { answerInteger, answerList, answerText, object, oneOf } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_policy_warnings = query({
  summary: 'Returns warnings about the policies of the organization; a warning refuses nothing.',
  body: object({}),
  response: object({
    warnings: answerList(
      object({
        policyId: answerText(),
        policyName: answerText(),
        code: answerText(),
        clause: oneOf(['condition', 'consensus', 'time']),
        position: answerInteger(),
        message: answerText(),
      }),
    ),
  }),

  answer: async ({ organization, pause }) => ({
    warnings: (await policyWarnings(organization, pause)) as never,
  }),
});
