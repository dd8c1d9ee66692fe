import {
  answerList,
  answerText,
  boolean,
  decimal,
  numberOf,
  object,
  optional,
  optionalOrEmpty,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { listedVault, listedVaultShapes, provider, selectVaults } from './configured_vaults.ts';
import { readTotals } from './vault_reads.ts';

const cursor = () => optionalOrEmpty(text({ minimum: 42, maximum: 42 }));
const usualLimit = 10;

export const list_earn_vaults = query({
  summary: 'Lists the configured vaults that take a token, those with the most tokens first.',
  body: object({
    provider: optional(provider()),
    caip19: text({ minimum: 1, maximum: 128 }),
    paginationOptions: optional(
      object({
        limit: optionalOrEmpty(decimal({ minimum: 1, maximum: 100 })),
        before: cursor(),
        after: cursor(),
      }),
    ),
  }),
  response: object({
    vaults: answerList(
      object({
        ...listedVaultShapes(),
        tvl: answerText(),
        enabled: boolean(),
      }),
    ),
    pageInfo: object({
      hasNextPage: boolean(),
      hasPreviousPage: boolean(),
      startCursor: optional(answerText()),
      endCursor: optional(answerText()),
    }),
  }),

  answer: async ({ body, services }) => {
    const { limit, before, after } = body.paginationOptions ?? {};
    const vaults = await readTotals(selectVaults(body, services.deployment), services);
    const sorted = vaults.toSorted((a, b) =>
      a.total === b.total ? 0 : a.total < b.total ? 1 : -1,
    );
    const indexOf = (address: string) =>
      sorted.findIndex((vault) => vault.address === address.toLowerCase());
    const first = after === undefined ? 0 : indexOf(after) + 1;
    const end = before === undefined ? sorted.length : Math.max(indexOf(before), 0);
    const count = limit === undefined ? usualLimit : numberOf(limit);
    const start = before !== undefined && after === undefined ? Math.max(end - count, 0) : first;
    const page = sorted.slice(start, Math.min(start + count, end));
    const [startCursor, endCursor] = [page[0]?.address, page.at(-1)?.address];
    return {
      vaults: page.map((vault) => ({
        ...listedVault(vault),
        tvl: String(vault.total),
        enabled: true,
      })),
      pageInfo: {
        hasNextPage: endCursor !== undefined && start + page.length < sorted.length,
        hasPreviousPage: startCursor !== undefined && start > 0,
        ...(startCursor === undefined || endCursor === undefined ? {} : { startCursor, endCursor }),
      },
    };
  },
});
