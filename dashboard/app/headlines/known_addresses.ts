// The names of addresses and the payments of the organization, as the service lists them.

import type { Client } from '../../../src/client/connect.ts';
import { maximumAccounts, readReportedRows } from '../../../src/client/reported_rows.ts';
import type { Intent } from '../../../src/core/transactions/headline/explain_request.ts';
import type { KnownAddresses } from '../../../src/core/transactions/headline/headline.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

export type Known = KnownAddresses & {
  /** `0.5 ETH to 0x0000…dEaD`; undefined for a transaction that moves no amount or cannot be read. */
  readonly paymentText: (type: string, intent: Intent) => string | undefined;
  /** Number of accounts of a wallet; undefined if not all accounts were read. */
  readonly accountsOf: (walletId: string) => number | undefined;
};

/** Reads the names and payments once for all approvals and lists. */
export function useKnownAddresses(): Read<Known> {
  const { client } = useSession();
  return useRead(['known addresses'], (signal) => readKnown(client, signal));
}

async function readKnown(client: Client, signal: AbortSignal): Promise<Known> {
  // The readers of transactions are large, so the page fetches them when it needs them.
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
