import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: () => ({}), onlySelects: true }],
  generate: () => ({}),
});
