import { signatureComplaints } from '../../simulation/authority.ts';
import { encoding, signer, upTo } from '../../simulation/request_parts.ts';
import type { Wire } from '../../simulation/wire.ts';
import { activityCase } from '../case.ts';
import { one, payloadForm, signers } from '../case_parts.ts';

export default activityCase({
  types: 'SIGN_RAW_PAYLOADS',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: signers((signWith) => ({ signWith, payloads: [one], ...payloadForm })),
  generate: {
    weight: 2,
    parameters: (world) => {
      const { signWith, hashFunction } = signer(world);
      const payloads = upTo(2, world, (i) => `Payload ${world.serial} ${i}`);
      return { signWith, payloads, encoding, hashFunction };
    },
  },
  effect: ({ intent, result, before }) => ({
    complaints: signatureComplaints(
      intent.signWith,
      result.signatures.map((signature: Wire, i: number) => ({
        payload: intent.payloads[i],
        signature,
      })),
      before,
    ),
    facts: { 'all were signed': result.signatures.length === intent.payloads.length },
  }),
});
