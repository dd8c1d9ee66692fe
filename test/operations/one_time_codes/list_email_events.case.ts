import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ userEmail: email }) => ({ email }), onlySelects: true }],
  generate: () => ({ email: 'nobody@example.com' }),
});
