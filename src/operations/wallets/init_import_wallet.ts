import { writeImportTarget } from '../../core/bundles/import_target.ts';
import { createImportTarget, requireOwnImport } from '../../core/keys/import_targets.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { importBundleResult } from '../transfer_shapes.ts';

export const init_import_wallet = activity({
  wire: wireOf('ACTIVITY_TYPE_INIT_IMPORT_WALLET'),
  summary: 'Creates an import target: a key that the user encrypts one wallet to within two days.',
  subject: { resource: 'WALLET', action: 'IMPORT' },
  authority: 'none',
  parameters: object({ userId: uuid() }),
  result: importBundleResult(),

  apply: ({ organization, parameters, submitter, keyring, context, services }) => {
    requireOwnImport(parameters.userId, submitter.id);
    const userId = submitter.id;
    const requested = { userId, purpose: 'wallet' } as const;
    const targetPublicKey = createImportTarget(requested, organization, keyring, context);
    const target = { targetPublicKey, organizationId: organization.id, userId };
    return { importBundle: writeImportTarget(target, services.serviceKeys) };
  },
});
