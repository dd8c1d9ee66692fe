import { boolean, list, object, oneOf, optional, text } from '../../core/schema/schema.ts';
import { setIpAllowlist } from '../../core/settings/ip_allowlist.ts';
import { apiPublicKey } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

export const set_ip_allowlist = activity({
  wire: wireOf('ACTIVITY_TYPE_SET_IP_ALLOWLIST'),
  summary:
    'Sets the addresses from which requests are accepted: for the organization, or for one API key.',
  subject: { resource: 'CONFIG', action: 'UPDATE' },
  authority: 'ip_allowlist',
  parameters: object({
    publicKey: optional(apiPublicKey()),
    enabled: optional(boolean()),
    rules: optional(
      list(
        object({
          cidr: text({ minimum: 1, maximum: 64 }),
          label: optional(text({ maximum: 100 })),
        }),
      ),
    ),
    onEvaluationError: optional(oneOf(['ALLOW', 'DENY'])),
  }),
  result: object({}),

  apply: ({ organization, parameters, origin, context }) => {
    setIpAllowlist(parameters, organization, origin, context);
    return {};
  },
});
