import { fail } from '../../core/errors/errors.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { requireActivity } from '../activities/require_activity.ts';
import { query } from '../operation.ts';

const receiptShape = () =>
  object(
    {
      receiptFormat: answerText(),
      entry: answerText(),
      salt: answerText(),
      record: optional(answerText()),
      proof: answerText(),
    },
    'A file that keywright verify receipt checks without a network. Not part of the common interface.',
  );

export const get_receipt = query({
  summary:
    'Returns the receipt of an activity: its entry in the log, with the proof that a checkpoint has it.',
  body: object({ activityId: uuid() }),
  response: object({ receipt: receiptShape() }),

  answer: async ({ organization, body, read, shownActivity, services }) => {
    const activity = await requireActivity(body.activityId, organization, read);
    const receipt = await services.receipts.receiptOf(activity);
    if (receipt === undefined) return fail('receipt_not_found', { activityId: activity.id });
    const { record, ...opened } = receipt;
    // The record may contain tokens and codes, so only their submitter receives it whole; the entry has its
    // digest anyway.
    const isWhole = shownActivity(activity) === activity;
    return {
      receipt: { receiptFormat: 'keywright-receipt/v1', ...opened, ...(isWhole && { record }) },
    };
  },
});
