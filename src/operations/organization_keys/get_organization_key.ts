import { organizationKeyView } from '../../core/keys/key_holders.ts';
import { boolean, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { organizationKeyShape } from './key_holder_shapes.ts';

export const get_organization_key = query({
  summary:
    'Returns the organization key and its holders, and whether the organization is sealed in the answering enclave.',
  body: object({}),
  response: object({
    organizationKey: optional(organizationKeyShape()),
    isSealed: boolean(),
  }),

  answer: ({ organization, services }) => {
    const { organizationKey } = organization.head;
    const { isUnsealed } = services.keyring(organization.id, organizationKey).organizationKey;
    const isSealed = !isUnsealed();
    if (organizationKey === undefined) return { isSealed };
    return { organizationKey: organizationKeyView(organizationKey), isSealed };
  },
});
