import { queryCase } from '../case.ts';
import { after } from '../case_parts.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: () => ({}) },
    { parameters: after('velocityControlId'), onlySelects: true },
  ],
  generate: () => ({}),
});
