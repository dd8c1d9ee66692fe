import { pageLimit } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';
import { after } from '../case_parts.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: ({ walletId }) => ({ walletId, includeWalletDetails: true }) },
    { parameters: after('walletAccountId'), onlySelects: true },
  ],
  generate: () => ({ paginationOptions: { limit: String(pageLimit) } }),
});
