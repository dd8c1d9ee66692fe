import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    {
      parameters: ({ userEmail }) => ({ filterType: 'EMAIL', filterValue: userEmail }),
      onlySelects: true,
    },
  ],
});
