import { activityId } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  findsChild: true,
  calls: [
    { parameters: ({ activityId }) => ({ activityId }) },
    { parameters: ({ pendingActivityId }) => ({ activityId: pendingActivityId }) },
  ],
  generate: (world) => ({ activityId: activityId(world) }),
});
