import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'IMPORT_PRIVATE_KEY',
  subject: 'PRIVATE_KEY IMPORT',
  rule: 'policies',
  calls: [
    {
      parameters: ({ rootUserId: userId, sealedPrivateKey: encryptedBundle }) => ({
        userId,
        privateKeyName: label,
        encryptedBundle,
        curve: 'CURVE_SECP256K1',
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      }),
    },
  ],
});
