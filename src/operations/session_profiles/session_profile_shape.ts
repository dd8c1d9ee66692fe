import { answerText, object, optional, timestamps } from '../../core/schema/schema.ts';

/** A session profile in the form of answers. */
export const sessionProfileShape = () =>
  object({
    sessionProfileId: answerText(),
    sessionProfileName: answerText(),
    scope: answerText(),
    expirationSeconds: optional(answerText()),
    notes: optional(answerText()),
    ...timestamps(),
  });
