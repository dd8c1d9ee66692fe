import { freezeOf, idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_FREEZE',
  subject: 'FREEZE CREATE',
  rule: 'policies',
  calls: [
    { parameters: ({ walletId }) => ({ type: 'FREEZE_TYPE_WALLET', resourceId: walletId }) },
    {
      parameters: ({ privateKeyId }) => ({
        type: 'FREEZE_TYPE_PRIVATE_KEY',
        resourceId: privateKeyId,
      }),
    },
    {
      parameters: ({ userId }) => ({
        type: 'FREEZE_TYPE_USER',
        resourceId: userId,
        reason: 'The laptop was stolen.',
      }),
    },
  ],
  generate: {
    weight: 2,
    parameters: (world) => {
      const type = world.choice.weighted({ WALLET: 4, PRIVATE_KEY: 4, USER: 2, ORGANIZATION: 1 });
      if (type === 'ORGANIZATION') return { type: 'FREEZE_TYPE_ORGANIZATION' };
      const kind = ({ WALLET: 'wallet', PRIVATE_KEY: 'private_key', USER: 'user' } as const)[type];
      return { type: `FREEZE_TYPE_${type}`, resourceId: idOf(world, kind) };
    },
  },
  effect: ({ intent, result: { freezeId: id }, before, after, submitterId }) => {
    const { type, resourceId } = intent;
    const known = freezeOf(before, type, resourceId);
    const made = after.rows.freeze.get(id);
    return {
      created: known === undefined ? { freeze: [id] } : {},
      facts: {
        'a frozen subject keeps its freeze': known === undefined || known.id === id,
        'it is of the subject': made?.type === type && made?.resourceId === resourceId,
        'it names its submitter': known !== undefined || made?.userId === submitterId,
      },
    };
  },
});
