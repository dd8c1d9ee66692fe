import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ by: 'parent', parameters: () => ({}) }],
  generate: () => ({}),
});
