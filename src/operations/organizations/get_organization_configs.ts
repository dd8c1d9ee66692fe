import { featureNames } from '../../core/names.ts';
import {
  answerInteger,
  answerList,
  answerText,
  object,
  oneOf,
  optional,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_organization_configs = query({
  summary: 'The features of the organization and its root quorum.',
  body: object({}),
  response: object({
    configs: object({
      features: answerList(object({ name: oneOf(featureNames), value: optional(answerText()) })),
      quorum: object({ threshold: answerInteger(), userIds: answerList(answerText()) }),
    }),
  }),

  answer: ({ organization: { head } }) => ({
    configs: { features: head.features, quorum: head.rootQuorum },
  }),
});
