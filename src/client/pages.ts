// Lists that come in pages.

import type { Queries } from './generated/operations.ts';
import { rowsOf } from './outcome.ts';
import type { CallOptions } from './requests.ts';

/** Lists in pages: the member of their rows, and that of a row which is its cursor, if it is not all. */
const lists = {
  list_activities: ['activities', 'id'],
  list_secrets: ['secrets', 'secretId'],
  list_suborgs: ['organizationIds', undefined],
  list_velocity_controls: ['velocityControls', 'velocityControlId'],
  list_verified_suborgs: ['organizationIds', undefined],
  list_wallet_accounts: ['accounts', 'walletAccountId'],
} as const satisfies { readonly [N in keyof Queries]?: readonly [string, string | undefined] };

export type PagedName = keyof typeof lists;

type Row<N extends PagedName> = Queries[N]['result'] extends {
  readonly [member in (typeof lists)[N][0]]: readonly (infer Item)[];
}
  ? Item
  : never;

/** Every row of a list, in its order. Rows that are there from the first request on come once each. */
export type Pages = <N extends PagedName>(
  name: N,
  parameters?: Queries[N]['parameters'],
  options?: CallOptions,
) => AsyncGenerator<Row<N>, void>;

type Query = (
  name: string,
  parameters: object,
  options?: CallOptions,
) => Promise<Readonly<Record<string, unknown>>>;

const rowsOfPage = 100;

/** The function that walks through lists with this query. */
export const pagesOf = (query: Query): Pages =>
  async function* pages(name, parameters, options) {
    const [member, cursorName] = lists[name];
    let after: { readonly after?: unknown } = {};
    for (;;) {
      const paginationOptions = {
        limit: String(rowsOfPage),
        ...parameters?.paginationOptions,
        ...after,
      };
      const answer = await query(name, { ...parameters, paginationOptions }, options);
      const rows = rowsOf(answer, member);
      yield* rows as readonly never[];
      const last: unknown = rows.at(-1);
      const cursor =
        cursorName === undefined ? last : (last as Record<string, unknown>)?.[cursorName];
      const isLast = rows.length < Number(paginationOptions.limit) && answer['truncated'] !== true;
      // A list that does not go on would be read for ever.
      if (isLast || cursor === after.after) return;
      after = { after: cursor };
    }
  };
