import { hex } from '../../core/base/bytes.ts';
import { parseTargetKey } from '../../core/bundles/target_key.ts';
import { exportBundleOf } from '../../core/keys/exports.ts';
import { requireHeldHere } from '../../core/keys/external_keys.ts';
import { markPrivateKeyExported, requirePrivateKey } from '../../core/keys/private_keys.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { targetPublicKey } from '../transfer_shapes.ts';

export const export_private_key = activity({
  wire: wireOf('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY'),
  summary: 'Exports a private key, encrypted to a target key; for Ed25519 the seed.',
  subject: { resource: 'PRIVATE_KEY', action: 'EXPORT' },
  authority: 'keys',
  parameters: object({ privateKeyId: uuid(), targetPublicKey: targetPublicKey() }),
  result: object({ privateKeyId: answerText(), exportBundle: answerText() }),

  load: async ({ organization, parameters }) => {
    const privateKey = requirePrivateKey(organization, parameters.privateKeyId);
    requireHeldHere(privateKey, 'it has no secret here to export');
    const target = parseTargetKey(parameters.targetPublicKey, 'parameters.targetPublicKey');
    return { privateKey, target };
  },
  facts: ({ loaded: { privateKey, target } }) => ({
    privateKey,
    params: { target_public_key: hex(target) },
  }),
  apply: ({ organization, keyring, context, loaded: { privateKey, target }, services }) => {
    const to = { organizationId: organization.id, targetPublicKey: target };
    const exportBundle = keyring.usePrivateKey({ kind: 'private_key', privateKey }, (key) =>
      exportBundleOf(key, to, services),
    );
    markPrivateKeyExported(privateKey, organization, context.now);
    return { privateKeyId: privateKey.id, exportBundle };
  },
});
