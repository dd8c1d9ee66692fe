import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: () => ({ caip2: 'eip155:1' }) }],
});
