// The failure of a sent transaction in answers.

import { answerList, answerText, object, oneOf, optional } from '../../core/schema/schema.ts';

const revert = () =>
  object({
    address: answerText(),
    errorType: oneOf(['native', 'custom', 'unknown']),
    displayMessage: answerText(),
    native: optional(
      object({
        nativeType: oneOf(['error_string', 'panic', 'execution_reverted']),
        message: answerText(),
        panicCode: optional(answerText()),
      }),
    ),
    unknown: optional(object({ selector: answerText(), data: answerText() })),
  });

const solanaFailure = () =>
  object({
    source: answerText(),
    transactionErrorJson: optional(answerText()),
    logs: optional(answerList(answerText())),
    unitsConsumed: optional(answerText()),
    innerInstructionsJson: optional(answerText()),
  });

/** The form of `sendErrorView`. */
export const sendErrorShape = () =>
  object({
    message: answerText(),
    revertChain: optional(answerList(revert())),
    eth: optional(object({ revertChain: answerList(revert()) })),
    solana: optional(solanaFailure()),
  });
