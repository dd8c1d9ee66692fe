import { knownContact } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    {
      parameters: ({ userEmail }) => ({ filterType: 'EMAIL', filterValue: userEmail }),
      onlySelects: true,
    },
  ],
  generate: () => ({ filterType: 'EMAIL', filterValue: knownContact }),
});
