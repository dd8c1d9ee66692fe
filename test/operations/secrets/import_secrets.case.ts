import { idsWhere, textOfSecret } from '../../simulation/effect_parts.ts';
import { newSecrets, secretTextOf } from '../../simulation/request_parts.ts';
import type { Wire } from '../../simulation/wire.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'IMPORT_SECRETS',
  subject: 'SECRET IMPORT',
  // The public documents have no rule for secrets; policies name the activity types.
  rule: 'policies',
  calls: [{ parameters: ({ sealedSecret }) => ({ secrets: [JSON.parse(sealedSecret)] }) }],
  generate: { weight: 8, parameters: newSecrets },
  effect: ({ intent: { secrets }, result: { secretIds }, before, after }) => ({
    created: { secret: secretIds, secret_text: secretIds },
    deleted: {
      import_target: secrets.flatMap(({ targetPublicKey }: Wire) =>
        idsWhere(before, 'import_target', ({ publicKey }) => publicKey === targetPublicKey),
      ),
    },
    facts: {
      'each has the text that was sealed': secrets.every(
        ({ targetPublicKey }: Wire, i: number) =>
          textOfSecret(after, secretIds[i]) === secretTextOf(targetPublicKey),
      ),
    },
  }),
});
