import { fail } from '../../core/errors/errors.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { rotateKey } from '../../core/webhooks/signing_keys.ts';
import { activity, wireOf } from '../operation.ts';

export const rotate_webhook_key = activity({
  wire: wireOf('ACTIVITY_TYPE_ROTATE_WEBHOOK_KEY'),
  summary:
    'Publishes a new signing key for webhooks, which signs a day later; the present key stays published for a week after that. Send `immediately` if the present key is no longer trusted. For the first organization only; not part of the common interface.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({ immediately: optional(boolean()) }),
  result: object({ signsFrom: answerText() }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters, context }) => {
    if (organization.parentId !== undefined) {
      fail('sub_organization_cannot', { action: 'rotate the key of webhooks' });
    }
    const { signsFromMs } = rotateKey(organization, context, parameters.immediately ?? false);
    return { signsFrom: new Date(signsFromMs).toISOString() };
  },
});
