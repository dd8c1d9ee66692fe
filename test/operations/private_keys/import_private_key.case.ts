import { utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { usedTargets } from '../../simulation/effect_parts.ts';
import { importer, keyKinds, sealedImport } from '../../simulation/request_parts.ts';
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
  generate: {
    weight: 5,
    parameters: (world) => ({
      ...importer(world),
      privateKeyName: `Key ${world.serial}`,
      encryptedBundle: sealedImport(world, 'private_key', sha256(utf8(String(world.serial)))),
      ...world.choice.pick(keyKinds),
    }),
  },
  effect: ({ intent, result, before, after }) => {
    const used = usedTargets(intent, 'private_key', before, after);
    const made = after.rows.private_key.get(result.privateKeyId);
    return {
      ...used,
      created: { private_key: [result.privateKeyId] },
      facts: { ...used.facts, 'it is marked': made?.imported === true && !made.exported },
    };
  },
});
