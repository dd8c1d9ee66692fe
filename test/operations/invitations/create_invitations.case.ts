import { importer, upTo, userTagIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_INVITATIONS',
  subject: 'INVITATION CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ rootUserId, userTagId }) => ({
        invitations: [
          {
            receiverUserName: label,
            receiverUserEmail: 'guest@example.com',
            receiverUserTags: [userTagId],
            accessType: 'ACCESS_TYPE_ALL',
            senderUserId: rootUserId,
          },
        ],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      invitations: upTo(2, world, (i) => ({
        receiverUserName: `Guest ${world.serial} ${i}`,
        receiverUserEmail: `guest${world.serial}@example.com`,
        receiverUserTags: userTagIds(world),
        accessType: 'ACCESS_TYPE_WEB',
        senderUserId: importer(world).userId,
      })),
    }),
  },
  effect: ({ result }) => ({ created: { invitation: result.invitationIds } }),
});
