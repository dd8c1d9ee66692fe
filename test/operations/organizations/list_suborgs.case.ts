import { pageLimit } from '../../simulation/request_parts.ts';
import { type Call, queryCase } from '../case.ts';
import { after } from '../case_parts.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: () => ({}) },
    { parameters: after('organizationId'), onlySelects: true },
    ...(
      [
        ['NAME', 'organizationName'],
        ['PUBLIC_KEY', 'userPublicKey'],
        ['WALLET_ACCOUNT_ADDRESS', 'address'],
      ] as const
    ).map(
      ([filterType, value]): Call => ({
        parameters: (of) => ({ filterType, filterValue: of[value] }),
        onlySelects: true,
      }),
    ),
  ],
  generate: () => ({ paginationOptions: { limit: String(pageLimit) } }),
});
