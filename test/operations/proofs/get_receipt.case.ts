import { activityId } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ activityId }) => ({ activityId }) }],
  generate: (world) => ({ activityId: activityId(world) }),
});
