import { freezeTypes } from '../../core/organization/records/freeze.ts';
import { answerText, object, oneOf, optional, timestamp } from '../../core/schema/schema.ts';

export const maximumReasonCharacters = 1000;

/** The API form of a freeze. */
export const freezeShape = () =>
  object({
    freezeId: answerText(),
    type: oneOf(freezeTypes),
    resourceId: optional(answerText()),
    reason: optional(answerText()),
    userId: answerText(),
    createdAt: timestamp(),
  });
