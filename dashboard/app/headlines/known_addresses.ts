// Reads the names of addresses and the past payments of the organization, as the service reports them.

import type { Client } from '../../../src/client/connect.ts';
import { maximumAccounts, readReportedRows } from '../../../src/client/reported_rows.ts';
import type { KnownAddresses } from '../../../src/core/transactions/headline/headline.ts';
import type { ReportedMarket } from '../../../src/core/transactions/headline/market_terms.ts';
import type { Intent } from '../../../src/core/transactions/headline/request_types.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

export type Known = KnownAddresses & {
  /**
   * Returns `0.5 ETH to 0x0000…dEaD`; undefined for a transaction that moves no amount or cannot be decoded.
   */
  readonly paymentText: (
    type: string,
    intent: Intent,
    market?: ReportedMarket,
  ) => string | undefined;
  /** Returns the number of accounts of a wallet; undefined if the page did not read all accounts. */
  readonly accountsOf: (walletId: string) => number | undefined;
};

/** All approvals and lists share one read. */
export function useKnownAddresses(): Read<Known> {
  const { client } = useSession();
  return useRead(['known addresses'], (signal) => readKnown(client, signal));
}

async function readKnown(client: Client, signal: AbortSignal): Promise<Known> {
  // The decoders of transactions are large, so the page loads them on demand.
  const [{ accountFinder, knownAddresses, paymentTypes }, { paymentTexts }] = await Promise.all([
    import('../../../src/core/transactions/headline/known_addresses.ts'),
    import('./payment_text.ts'),
  ]);
  const rows = await readReportedRows(client, paymentTypes, { signal });
  const known = knownAddresses(rows);
  const counts = Map.groupBy(rows.accounts, ({ walletId }) => walletId);
  const isWhole = rows.accounts.length < maximumAccounts;
  return {
    ...known,
    paymentText: paymentTexts(known, accountFinder(rows)),
    accountsOf: (walletId) => (isWhole ? (counts.get(walletId)?.length ?? 0) : undefined),
  };
}
