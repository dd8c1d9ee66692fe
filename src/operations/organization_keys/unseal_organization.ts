import { failAndRecord } from '../../core/errors/errors.ts';
import {
  maximumUnsealTries,
  requireKeyHolder,
  requireOrganizationKey,
  unsealWindowMs,
} from '../../core/keys/key_holders.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { unsealingSecret } from './key_holder_shapes.ts';

export const unseal_organization = activity({
  wire: wireOf('ACTIVITY_TYPE_UNSEAL_ORGANIZATION'),
  summary:
    'Unseals an organization in the answering enclave, with the secret of a holder of its key.',
  subject: { resource: 'ORGANIZATION_KEY', action: 'UNSEAL' },
  authority: 'seal',
  parameters: object({ holderId: uuid(), encryptedSecret: unsealingSecret() }),
  result: object({ organizationKeyId: answerText() }),

  countsTries: true,

  apply: ({ organization, parameters, submitter, keyring, context, services }) => {
    const key = requireOrganizationKey(organization);
    const holder = requireKeyHolder(key, parameters.holderId, organization.id);
    const window = Math.floor(context.now / unsealWindowMs);
    const isAdmitted = services.admitTry({
      id: `${key.id}/${submitter.id}/${window}`,
      expiresAtMs: (window + 1) * unsealWindowMs,
      maximum: maximumUnsealTries,
    });
    if (!isAdmitted) failAndRecord('unseal_tries_exceeded', { maximum: maximumUnsealTries });
    const hold = keyring.organizationKey.unseal(holder, parameters.encryptedSecret);
    if (hold === undefined) return failAndRecord('holder_secret_wrong', { holderId: holder.id });
    services.afterCommit(() => hold(organization.parentId));
    return { organizationKeyId: key.id };
  },
});
