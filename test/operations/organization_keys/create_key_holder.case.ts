import { generatedHolder, sealedSecret, secretOf } from '../../support/organization_keys.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_KEY_HOLDER',
  subject: 'ORGANIZATION_KEY UPDATE',
  rule: 'quorum',
  calls: [
    {
      by: 'unrelated',
      parameters: ({ ephemeralKey, organizationId, organizationKeyId }) => ({
        holderName: label,
        type: 'KEY_HOLDER_TYPE_PASSKEY',
        derivation: 'prf AAAA',
        encryptedSecret: sealedSecret(secretOf('further'), {
          ephemeralKey,
          organizationId,
          purpose: 'hold',
          mark: { id: organizationKeyId, seals: 0 },
        }),
      }),
    },
  ],
  generate: generatedHolder,
});
