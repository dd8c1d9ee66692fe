import { parseTargetKey } from '../../core/bundles/target_key.ts';
import { failField } from '../../core/errors/errors.ts';
import { findSecretTarget, useImport } from '../../core/keys/import_targets.ts';
import { createSecret, maximumSecretsAtOnce, staticPropertiesOf } from '../../core/keys/secrets.ts';
import { answerList, answerText, label, list, object, optional } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { targetPublicKey } from '../transfer_shapes.ts';
import { encryptionSuite, secretPayload, staticPropertyList } from './secret_shapes.ts';

export const import_secrets = activity({
  wire: wireOf('ACTIVITY_TYPE_IMPORT_SECRETS'),
  summary:
    'Imports secrets that were encrypted to import targets, and returns their IDs in the same order.',
  subject: { resource: 'SECRET', action: 'IMPORT' },
  authority: 'none',
  parameters: object({
    secrets: list(
      object({
        name: optional(label()),
        secretPayload: secretPayload(),
        targetPublicKey: targetPublicKey(),
        encryptionSuite: encryptionSuite(),
        staticProperties: optional(staticPropertyList()),
      }),
      { minimum: 1, maximum: maximumSecretsAtOnce },
    ),
  }),
  result: object({ secretIds: answerList(answerText()) }),

  load: async ({ organization, parameters, keyring, context }) => {
    const targetIds = new Set<string>();
    return parameters.secrets.map((described, i) => {
      const field = `parameters.secrets.${i}`;
      const key = parseTargetKey(described.targetPublicKey, `${field}.targetPublicKey`);
      const requested = { ...described, targetPublicKey: key, now: context.now, field };
      const target = findSecretTarget(requested, organization, keyring);
      if (targetIds.has(target.id)) failField(`${field}.targetPublicKey`, 'it is named twice');
      targetIds.add(target.id);
      const { staticProperties = [] } = described;
      const kept = staticPropertiesOf(staticProperties, `${field}.staticProperties`);
      return { ...described, staticProperties: kept, target };
    });
  },
  apply: ({ organization, submitter, keyring, context, loaded }) => ({
    secretIds: loaded.map(({ target, secretPayload: encryptedBundle, ...described }) => {
      const bundle = { encryptedBundle, submitterId: submitter.id };
      const secret = useImport(target, bundle, organization, keyring, (text) =>
        createSecret(described, text, organization, keyring, context),
      );
      return secret.id;
    }),
  }),
});
