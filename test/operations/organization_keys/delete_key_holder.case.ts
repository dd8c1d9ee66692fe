import { unknownId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_KEY_HOLDER',
  subject: 'ORGANIZATION_KEY DELETE',
  rule: 'quorum',
  calls: [{ by: 'unrelated', parameters: ({ spareHolderId }) => ({ holderId: spareHolderId }) }],
  generate: { weight: 1, parameters: () => ({ holderId: unknownId }) },
});
