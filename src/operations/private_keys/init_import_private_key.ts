import { writeImportTarget } from '../../core/bundles/import_target.ts';
import { createImportTarget, requireOwnImport } from '../../core/keys/import_targets.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { importBundleResult } from '../transfer_shapes.ts';

export const init_import_private_key = activity({
  wire: wireOf('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY'),
  summary:
    'Creates an import target: a key that the user encrypts one private key to within two days.',
  subject: { resource: 'PRIVATE_KEY', action: 'IMPORT' },
  authority: 'none',
  parameters: object({ userId: uuid() }),
  result: importBundleResult(),

  apply: ({ organization, parameters, submitter, keyring, context, services }) => {
    requireOwnImport(parameters.userId, submitter.id);
    const userId = submitter.id;
    const requested = { userId, purpose: 'private_key' } as const;
    const targetPublicKey = createImportTarget(requested, organization, keyring, context);
    const target = { targetPublicKey, organizationId: organization.id, userId };
    return { importBundle: writeImportTarget(target, services.serviceKeys) };
  },
});
