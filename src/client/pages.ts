// Reads paged lists to their end, with bounds on a hostile service.

import { Untrusted } from './errors.ts';
import type { Queries } from './generated/operations.ts';
import { rowsOf } from './outcome.ts';
import type { CallOptions } from './requests.ts';

/**
 * Paged lists: the member with the rows, and the row member used as the cursor (undefined: the row itself).
 */
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

/**
 * Yields every row of a list in order. Rows that exist at the first request appear exactly once. Throws
 * `Untrusted` if cursors repeat, or if too many pages in succession have no rows.
 */
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
/** Maximum pages without rows in succession. A filter of an honest service examines 1,000 rows a page. */
const maximumEmptyPages = 10_000;

/** Returns a function that reads paged lists with this query. */
export const pagesOf = (query: Query): Pages =>
  async function* pages(name, parameters, options) {
    const [member, cursorName] = lists[name];
    let after: { readonly after?: unknown } = {};
    // Remembers one cursor, which finds every cycle (R. P. Brent, 1980).
    let [remembered, page, next, empty]: [unknown, number, number, number] = [undefined, 0, 1, 0];
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
        answer['nextCursor'] ??
        (cursorName === undefined ? last : (last as Record<string, unknown>)?.[cursorName]);
      const isLast = rows.length < Number(paginationOptions.limit) && answer['truncated'] !== true;
      if (isLast) return;
      empty = rows.length === 0 ? empty + 1 : 0;
      if (cursor === remembered || empty > maximumEmptyPages) {
        throw new Untrusted('ANSWER_MALFORMED', `${name} does not end`);
      }
      page += 1;
      if (page === next) [remembered, next] = [cursor, 2 * next];
      after = { after: cursor };
    }
  };
