import { writeImportTarget } from '../../core/bundles/import_target.ts';
import { createImportTarget } from '../../core/keys/import_targets.ts';
import { maximumSecretsAtOnce } from '../../core/keys/secrets.ts';
import { answerList, answerText, integer, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { encryptionSuite } from './secret_shapes.ts';

export const init_import_secrets = activity({
  wire: wireOf('ACTIVITY_TYPE_INIT_IMPORT_SECRETS'),
  summary:
    'Creates import targets: keys that the user encrypts one secret to each within two days.',
  subject: { resource: 'SECRET', action: 'IMPORT' },
  authority: 'none',
  parameters: object({
    encryptionSuite: encryptionSuite(),
    numSecrets: integer({ minimum: 1, maximum: maximumSecretsAtOnce }),
  }),
  result: object({ enclaveTargetMessages: answerList(answerText()) }),

  apply: ({ organization, parameters, submitter, keyring, context, services }) => {
    const requested = { userId: submitter.id, purpose: 'secret' } as const;
    const enclaveTargetMessages = Array.from({ length: parameters.numSecrets }, () => {
      const targetPublicKey = createImportTarget(requested, organization, keyring, context);
      const target = { targetPublicKey, organizationId: organization.id };
      return writeImportTarget(target, services.serviceKeys);
    });
    return { enclaveTargetMessages };
  },
});
