import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SUB_ORGANIZATION',
  subject: 'ORGANIZATION DELETE',
  // A child is deleted by its own root users, which leaves nothing behind, so no policy grants it.
  rule: 'quorum',
  calls: [{ parameters: () => ({ deleteWithoutExport: true }) }],
});
