import { sealOrganization } from '../../core/keys/key_holders.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const seal_organization = activity({
  wire: wireOf('ACTIVITY_TYPE_SEAL_ORGANIZATION'),
  summary:
    'Seals an organization that has its own key: no enclave uses its wallets and private keys until a holder unseals it.',
  subject: { resource: 'ORGANIZATION_KEY', action: 'SEAL' },
  authority: 'seal',
  parameters: object({}),
  result: object({ sealCount: answerText() }),

  apply: ({ organization, context }) => ({
    sealCount: String(sealOrganization(organization, context).seals),
  }),
});
