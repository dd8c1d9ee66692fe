import { signatureComplaints } from '../../simulation/authority.ts';
import { encoding, signer } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { payload, signers } from '../case_parts.ts';

export default activityCase({
  types: 'SIGN_RAW_PAYLOAD_V2 SIGN_RAW_PAYLOAD',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: signers((signWith) => ({ signWith, ...payload })),
  generate: {
    weight: 8,
    parameters: (world) => {
      const { signWith, hashFunction } = signer(world);
      return { signWith, payload: `Payload ${world.serial}`, encoding, hashFunction };
    },
  },
  effect: ({ intent, result, before }) => ({
    complaints: signatureComplaints(
      intent.signWith,
      [{ payload: intent.payload, signature: result }],
      before,
    ),
  }),
});
