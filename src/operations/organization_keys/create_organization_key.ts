import { checkKeyHolder, createOrganizationKey } from '../../core/keys/key_holders.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { newHolderMembers } from './key_holder_shapes.ts';

export const create_organization_key = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_ORGANIZATION_KEY'),
  summary:
    'Creates a key of the organization, which seals its wallets and private keys in addition to the root key. If all holders lose their secrets, the wallets are lost.',
  subject: { resource: 'ORGANIZATION_KEY', action: 'CREATE' },
  authority: 'root',
  parameters: object(newHolderMembers()),
  result: object({ organizationKeyId: answerText(), holderId: answerText() }),

  access: rootQuorumOnly(),
  signs: true,

  load: async ({ parameters }) => checkKeyHolder(parameters, 'parameters.derivation'),
  apply: ({ organization, parameters, keyring, context, services }) => {
    const { key, hold } = createOrganizationKey(parameters, organization, keyring, context);
    services.afterCommit(() => hold(organization.parentId));
    return { organizationKeyId: key.id, holderId: key.holders[0]?.id ?? '' };
  },
});
