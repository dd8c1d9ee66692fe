import { maximumMembers } from '../../core/deployments/operators.ts';
import {
  minimumThreshold,
  newQuorumKey,
  operatorsWithKeys,
  storeQuorumKey,
} from '../../core/deployments/quorum_keys.ts';
import { answerList, answerText, integer, list, object, text } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const create_tvc_quorum_key = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_TVC_QUORUM_KEY'),
  summary: 'Creates a quorum key, and stores only its shares, each encrypted to an operator.',
  subject: { resource: 'TVC_QUORUM_KEY', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    threshold: integer({ minimum: minimumThreshold, maximum: maximumMembers }),
    operatorEncryptKeys: list(text({ minimum: 130, maximum: 130 }), {
      minimum: 1,
      maximum: maximumMembers,
    }),
  }),
  result: object({
    quorumKeyId: answerText(),
    quorumPublicKey: answerText(),
    shareIds: answerList(answerText()),
  }),

  load: async ({ organization, parameters: { operatorEncryptKeys, threshold } }) =>
    operatorsWithKeys(operatorEncryptKeys, threshold, organization),
  obtain: ({ loaded: operators, parameters: { threshold }, services }) =>
    newQuorumKey(operators, threshold, services.random, services.pause),
  apply: ({ organization, parameters, loaded: operators, obtained, context }) => {
    const key = storeQuorumKey(obtained, parameters.threshold, operators, organization, context);
    const shareIds = key.shares.map(({ id }) => id);
    return { quorumKeyId: key.id, quorumPublicKey: key.publicKey, shareIds };
  },
});
