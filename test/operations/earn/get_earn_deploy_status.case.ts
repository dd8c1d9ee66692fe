import { unknownId } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ deployRequestId }) => ({ deployRequestId }) }],
  generate: ({ activityIds }) => ({ deployRequestId: activityIds()[0] ?? unknownId }),
});
