import { unknownId } from '../../simulation/request_parts.ts';
import { sealedSecret, secretOf, unreadableSecret } from '../../support/organization_keys.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UNSEAL_ORGANIZATION',
  subject: 'ORGANIZATION_KEY UNSEAL',
  rule: 'policies',
  calls: [
    {
      by: 'unrelated',
      parameters: ({ ephemeralKey, organizationId, organizationKeyId, keyHolderId }) => ({
        holderId: keyHolderId,
        encryptedSecret: sealedSecret(secretOf('treasurer'), {
          ephemeralKey,
          organizationId,
          purpose: 'unseal',
          mark: { id: organizationKeyId, seals: 0 },
        }),
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: () => ({ holderId: unknownId, encryptedSecret: unreadableSecret }),
  },
});
