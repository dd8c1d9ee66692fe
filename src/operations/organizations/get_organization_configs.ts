import { answerInteger, answerList, answerText, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { featureShape } from '../shapes.ts';

export const get_organization_configs = query({
  summary: 'Returns the features of the organization and its root quorum.',
  body: object({}),
  response: object({
    configs: object({
      features: answerList(featureShape()),
      quorum: object({ threshold: answerInteger(), userIds: answerList(answerText()) }),
    }),
  }),

  answer: ({ organization: { head } }) => ({
    configs: { features: head.features, quorum: head.rootQuorum },
  }),
});
