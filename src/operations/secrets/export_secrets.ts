import { hex } from '../../core/base/bytes.ts';
import { parseTargetKey } from '../../core/bundles/target_key.ts';
import { exportBundleOf } from '../../core/keys/exports.ts';
import { maximumSecretsAtOnce, requireSecret } from '../../core/keys/secrets.ts';
import { failNotFound } from '../../core/organization/required_record.ts';
import { answerList, answerText, list, object, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { targetPublicKey } from '../transfer_shapes.ts';
import { encryptionSuite, staticPropertyList } from './secret_shapes.ts';

export const export_secrets = activity({
  wire: wireOf('ACTIVITY_TYPE_EXPORT_SECRETS'),
  summary:
    'Exports the texts of secrets, each encrypted to its target key, in the order of the request.',
  subject: { resource: 'SECRET', action: 'EXPORT' },
  authority: 'keys',
  parameters: object({
    secrets: list(
      object({
        secretId: uuid(),
        targetPublicKey: targetPublicKey(),
        encryptionSuite: encryptionSuite(),
        // Metadata of the caller, stored with the activity for approvers and the audit.
        requestContext: optional(staticPropertyList()),
      }),
      { minimum: 1, maximum: maximumSecretsAtOnce },
    ),
  }),
  result: object({ secretPayloads: answerList(answerText()) }),

  load: async ({ organization, parameters, read }) => {
    const named = parameters.secrets.map(({ secretId, targetPublicKey: key }, i) => ({
      secret: requireSecret(organization, secretId),
      target: parseTargetKey(key, `parameters.secrets.${i}.targetPublicKey`),
    }));
    const texts = await read.secretTexts([...new Set(named.map(({ secret }) => secret.id))]);
    return named.map(({ secret, target }) => {
      const text = texts.get(secret.id) ?? failNotFound('secret', secret.id, organization);
      return { secret, target, text };
    });
  },
  facts: ({ loaded }) => ({
    parts: loaded.map(({ secret, target }) => ({
      secret,
      params: { target_public_key: hex(target) },
    })),
  }),
  apply: ({ organization, keyring, loaded, services }) => ({
    secretPayloads: loaded.map(({ text, target }) => {
      const to = { organizationId: organization.id, targetPublicKey: target };
      return keyring.useText(text, (bytes) => exportBundleOf(bytes, to, services));
    }),
  }),
});
