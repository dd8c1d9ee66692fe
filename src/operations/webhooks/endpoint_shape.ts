import { webhookFormats } from '../../core/base/enums.ts';
import {
  answerList,
  answerText,
  boolean,
  object,
  oneOf,
  optional,
} from '../../core/schema/schema.ts';

/** A webhook endpoint in the form of answers. */
export const endpointShape = () =>
  object({
    endpointId: answerText(),
    organizationId: answerText(),
    url: answerText(),
    name: answerText(),
    isActive: boolean(),
    bodyFormat: optional(oneOf(webhookFormats)),
    subscriptions: optional(
      answerList(
        object({
          eventType: answerText(),
          filtersJson: optional(answerText()),
          isActive: optional(boolean()),
        }),
      ),
    ),
  });
