import { findImportTarget, useImport } from '../../core/keys/import_targets.ts';
import { importPrivateKey } from '../../core/keys/private_keys.ts';
import { answerList, answerText, label, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { address, addressFormat, curve } from '../shapes.ts';
import { encryptedBundle } from '../transfer_shapes.ts';

const keyField = 'parameters.encryptedBundle';

export const import_private_key = activity({
  wire: wireOf('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY'),
  summary: 'Imports a private key that was encrypted to an import target.',
  subject: { resource: 'PRIVATE_KEY', action: 'IMPORT' },
  authority: 'none',
  parameters: object({
    userId: uuid(),
    privateKeyName: label(),
    encryptedBundle: encryptedBundle(),
    curve: curve(),
    addressFormats: list(addressFormat()),
  }),
  result: object({ privateKeyId: answerText(), addresses: answerList(address()) }),

  load: async ({ organization, parameters, keyring, context: { now } }) => {
    const requested = { ...parameters, purpose: 'private_key', now, field: keyField } as const;
    return findImportTarget(requested, organization, keyring);
  },
  apply: ({ organization, parameters, submitter, keyring, context, loaded: target }) => {
    const bundle = { ...parameters, submitterId: submitter.id };
    const where = { ...context, field: 'parameters', keyField };
    const imported = useImport(target, bundle, organization, keyring, (privateKey) =>
      importPrivateKey(parameters, privateKey, organization, keyring, where),
    );
    return { privateKeyId: imported.id, addresses: imported.addresses };
  },
});
