import { pageLimit } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';
import { after } from '../case_parts.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: () => ({ paginationOptions: { limit: '100' } }) },
    { parameters: after('activityId'), onlySelects: true },
  ],
  generate: () => ({ paginationOptions: { limit: String(pageLimit) } }),
});
