import { pageLimit } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: () => ({ changes: [], limit: '100' }) }],
  generate: () => ({ changes: [], limit: String(pageLimit) }),
});
