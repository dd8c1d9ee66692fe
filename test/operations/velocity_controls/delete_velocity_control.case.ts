import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_VELOCITY_CONTROL',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ velocityControlId }) => ({ velocityControlId }) }],
});
