import { amountText } from '../../core/balances/amount_text.ts';
import { usageOfControls } from '../../core/policy/velocity/counting.ts';
import { answerList, answerText, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const list_velocity_usage = query({
  summary:
    'Lists the counted amounts of the velocity controls, one for each control and group that has one.',
  body: object({}),
  response: object({
    usages: answerList(
      object({
        velocityControlId: answerText(),
        groupId: answerText(),
        used: answerText(),
        threshold: answerText(),
      }),
    ),
  }),

  answer: ({ organization, services }) => ({
    usages: usageOfControls(organization, services.clock()).map(
      ({ control, groupId, sum, places }) => ({
        velocityControlId: control.id,
        groupId,
        used: amountText(String(sum), places),
        threshold: control.aggregation.threshold,
      }),
    ),
  }),
});
