import {
  answerList,
  answerText,
  boolean,
  object,
  oneOf,
  optional,
} from '../../core/schema/schema.ts';
import { ipAllowlistOf } from '../../core/settings/ip_allowlist.ts';
import { ipAllowlistView } from '../../core/views/wire.ts';
import { apiPublicKey } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_ip_allowlist = query({
  summary:
    'Returns the IP allowlist of the organization, or of one API key; an empty one if none is set.',
  body: object({ publicKey: optional(apiPublicKey()) }),
  response: object({
    allowlist: object({
      organizationId: answerText(),
      rules: answerList(
        object({ cidr: answerText(), label: optional(answerText()), createdAt: answerText() }),
      ),
      publicKey: optional(answerText()),
      enabled: optional(boolean()),
      onEvaluationError: oneOf(['ALLOW', 'DENY']),
    }),
  }),

  answer: ({ organization, body: { publicKey } }) => ({
    allowlist: ipAllowlistView(
      ipAllowlistOf(organization, publicKey),
      publicKey?.toLowerCase(),
      organization.id,
    ),
  }),
});
