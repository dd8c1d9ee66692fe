import { rowsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { encryptKey } from './deployment_requests.ts';

const encryptKeyOf = (publicKey: string): string => publicKey.slice(0, 130);

export default activityCase({
  types: 'CREATE_TVC_QUORUM_KEY',
  subject: 'TVC_QUORUM_KEY CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: () => ({
        threshold: 2,
        operatorEncryptKeys: ['Ada', 'Bob'].map(encryptKey),
      }),
    },
  ],
  generate: {
    weight: 0.5,
    parameters: (world) => {
      const operators = world.choice.some(rowsOf(world, 'tvc_operator'), 2);
      const keys = operators.map(({ publicKey }) => encryptKeyOf(publicKey));
      const unknown = encryptKey('nobody');
      return { threshold: 2, operatorEncryptKeys: [...keys, unknown, unknown].slice(0, 2) };
    },
  },
  effect: ({ intent, result, after }) => ({
    created: { tvc_quorum_key: [result.quorumKeyId] },
    facts: {
      'each operator has one share':
        JSON.stringify(
          after.rows.tvc_quorum_key
            .get(result.quorumKeyId)
            ?.shares.map(({ operatorId }) =>
              encryptKeyOf(after.rows.tvc_operator.get(operatorId)?.publicKey ?? ''),
            ),
        ) === JSON.stringify(intent.operatorEncryptKeys),
    },
  }),
});
