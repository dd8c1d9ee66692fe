import { addKeyHolder, checkKeyHolder } from '../../core/keys/key_holders.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { newHolderMembers } from './key_holder_shapes.ts';

export const create_key_holder = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_KEY_HOLDER'),
  summary: 'Adds a holder to the key of an unsealed organization. Requires the root quorum.',
  subject: { resource: 'ORGANIZATION_KEY', action: 'UPDATE' },
  authority: 'root',
  parameters: object(newHolderMembers()),
  result: object({ holderId: answerText() }),

  access: rootQuorumOnly(),
  signs: true,

  load: async ({ parameters }) => checkKeyHolder(parameters, 'parameters.derivation'),
  apply: ({ organization, parameters, keyring, context }) => ({
    holderId: addKeyHolder(parameters, organization, keyring, context).id,
  }),
});
