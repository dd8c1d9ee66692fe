import {
  derivation,
  generatedHolder,
  sealedSecret,
  secretOf,
} from '../../support/organization_keys.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_ORGANIZATION_KEY',
  subject: 'ORGANIZATION_KEY CREATE',
  rule: 'quorum',
  calls: [
    {
      parameters: ({ ephemeralKey, organizationId }) => ({
        holderName: label,
        type: 'KEY_HOLDER_TYPE_PASSPHRASE',
        derivation,
        encryptedSecret: sealedSecret(secretOf('first'), {
          ephemeralKey,
          organizationId,
          purpose: 'hold',
        }),
      }),
    },
  ],
  generate: generatedHolder,
});
