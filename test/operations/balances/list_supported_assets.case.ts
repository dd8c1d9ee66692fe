import { caip2 } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: () => ({ caip2: 'eip155:1' }) }],
  generate: () => ({ caip2 }),
});
