import {
  effectKinds,
  warningCodes,
} from '../../core/organization/records/transaction_explanation.ts';
import { answerList, answerText, object, oneOf, optional } from '../../core/schema/schema.ts';

const effectShape = () =>
  object({
    kind: oneOf(effectKinds),
    text: answerText(),
    from: optional(answerText()),
    to: optional(answerText()),
    amount: optional(answerText()),
    asset: optional(answerText()),
    contract: optional(answerText()),
    functionName: optional(answerText()),
    arguments: optional(answerList(object({ name: answerText(), value: answerText() }))),
  });

/** The effects of a transaction, for people. */
export const explanationShape = () =>
  object({
    summary: answerText(),
    effects: answerList(effectShape()),
    fee: optional(
      object({
        maximum: answerText(),
        asset: answerText(),
        payer: optional(answerText()),
        text: answerText(),
      }),
    ),
    warnings: answerList(object({ code: oneOf(warningCodes), text: answerText() })),
  });
