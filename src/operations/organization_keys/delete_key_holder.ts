import { deleteKeyHolder } from '../../core/keys/key_holders.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_key_holder = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_KEY_HOLDER'),
  summary:
    'Removes a holder from the key of an unsealed organization, except the last holder. Requires the root quorum.',
  subject: { resource: 'ORGANIZATION_KEY', action: 'DELETE' },
  authority: 'root',
  parameters: object({ holderId: uuid() }),
  result: object({ holderId: answerText() }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters: { holderId }, keyring, context }) => ({
    holderId: deleteKeyHolder(holderId, organization, keyring, context).id,
  }),
});
