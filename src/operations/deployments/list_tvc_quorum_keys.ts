import { quorumKeyView } from '../../core/deployments/views.ts';
import {
  answerInteger,
  answerList,
  answerText,
  object,
  timestamps,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const list_tvc_quorum_keys = query({
  summary: 'Lists the quorum keys with their encrypted shares, oldest first.',
  body: object({}),
  response: object({
    tvcQuorumKeys: answerList(
      object({
        id: answerText(),
        publicKey: answerText(),
        threshold: answerInteger(),
        operatorIds: answerList(answerText()),
        shares: answerList(
          object({ shareId: answerText(), operatorId: answerText(), encryptedShare: answerText() }),
        ),
        ...timestamps(),
      }),
    ),
  }),

  answer: ({ organization }) => ({
    tvcQuorumKeys: organization.list('tvc_quorum_key').map(quorumKeyView),
  }),
});
