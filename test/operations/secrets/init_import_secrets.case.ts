import { rowsIn } from '../../simulation/effect_parts.ts';
import { activityCase } from '../case.ts';
import { encryptionSuite } from './secret_requests.ts';

export default activityCase({
  types: 'INIT_IMPORT_SECRETS',
  subject: 'SECRET IMPORT',
  // The public documents have no rule for secrets; policies name the activity types.
  rule: 'policies',
  calls: [{ parameters: () => ({ encryptionSuite, numSecrets: 2 }) }],
  generate: {
    weight: 4,
    parameters: ({ choice }) => ({ encryptionSuite, numSecrets: 1 + choice.below(3) }),
  },
  effect: ({ intent: { numSecrets }, submitterId, before, after }) => {
    const made = rowsIn(after, 'import_target').filter(
      ({ id }) => !before.rows.import_target.has(id),
    );
    return {
      created: { import_target: numSecrets },
      mayGo: { import_target: [...before.rows.import_target.keys()] },
      facts: {
        'they are of this user and purpose': made.every(
          ({ userId, purpose }) => userId === submitterId && purpose === 'secret',
        ),
      },
    };
  },
});
