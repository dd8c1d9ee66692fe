import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_INVITATION',
  subject: 'INVITATION DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ invitationId }) => ({ invitationId }) }],
});
