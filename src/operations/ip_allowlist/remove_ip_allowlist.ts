import { object, optional } from '../../core/schema/schema.ts';
import { removeIpAllowlist } from '../../core/settings/ip_allowlist.ts';
import { apiPublicKey } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

export const remove_ip_allowlist = activity({
  wire: wireOf('ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST'),
  summary: 'Removes the IP allowlist of the organization, or of one API key.',
  subject: { resource: 'CONFIG', action: 'UPDATE' },
  authority: 'ip_allowlist',
  parameters: object({ publicKey: optional(apiPublicKey()) }),
  result: object({}),

  apply: ({ organization, parameters, origin }) => {
    removeIpAllowlist(parameters.publicKey, organization, origin);
    return {};
  },
});
