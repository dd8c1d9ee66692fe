import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { opensTo, textOfSecret } from '../../simulation/effect_parts.ts';
import { idsOf } from '../../simulation/request_parts.ts';
import type { Wire } from '../../simulation/wire.ts';
import { activityCase } from '../case.ts';
import { wantedSecret } from './secret_requests.ts';

export default activityCase({
  types: 'EXPORT_SECRETS',
  subject: 'SECRET EXPORT',
  // The public documents have no rule for secrets; policies name the activity types.
  rule: 'policies',
  calls: [{ parameters: ({ secretId }) => ({ secrets: [wantedSecret(secretId)] }) }],
  generate: {
    weight: 5,
    parameters: (world) => ({ secrets: idsOf(world, 'secret', 2).map(wantedSecret) }),
  },
  effect: ({ intent: { secrets }, result: { secretPayloads }, before }) => ({
    facts: {
      'the texts came out': secrets.every(
        ({ secretId }: Wire, i: number) =>
          opensTo(secretPayloads[i], before.id, textOfUtf8) === textOfSecret(before, secretId),
      ),
    },
  }),
});
