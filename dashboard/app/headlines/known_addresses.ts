// The names of addresses and the payments of the organization, as the service lists them.

import type { Client } from '../../../src/client/connect.ts';
import type { Intent } from '../../../src/core/transactions/headline/explain_request.ts';
import type { KnownAddresses } from '../../../src/core/transactions/headline/headline.ts';
import { msOf } from '../service/activity_text.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

/** Maximum number of accounts whose names and keys are read. */
const maximumAccounts = 1_000;
/** Maximum number of payments that are examined: one page of the list. */
const maximumPayments = 100;

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
  const options = { signal };
  const [{ wallets }, accounts, { privateKeys }, payments] = await Promise.all([
    client.query('list_wallets', {}, options),
    accountsOf(client, signal),
    client.query('list_private_keys', {}, options),
    client.query(
      'list_activities',
      {
        filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
        filterByType: paymentTypes,
        paginationOptions: { limit: String(maximumPayments) },
      },
      options,
    ),
  ]);
  const rows = {
    wallets,
    accounts,
    privateKeys,
    entries: [],
    payments: payments.activities.map(({ type, createdAt, intent }) => ({
      type,
      createdAtMs: msOf(createdAt),
      intent: parametersOf(intent),
    })),
    hasOlderPayments: payments.truncated === true || payments.activities.length === maximumPayments,
  };
  const known = knownAddresses(rows);
  const counts = Map.groupBy(accounts, ({ walletId }) => walletId);
  const isWhole = accounts.length < maximumAccounts;
  return {
    ...known,
    paymentText: paymentTexts(known, accountFinder(rows)),
    accountsOf: (walletId) => (isWhole ? (counts.get(walletId)?.length ?? 0) : undefined),
  };
}

async function accountsOf(client: Client, signal: AbortSignal) {
  const accounts = [];
  for await (const account of client.pages('list_wallet_accounts', {}, { signal })) {
    accounts.push(account);
    if (accounts.length === maximumAccounts) break;
  }
  return accounts;
}

/** The parameters of an activity: the one member of its intent. */
export function parametersOf(intent: unknown): Readonly<Record<string, unknown>> {
  const [parameters] = Object.values(intent ?? {});
  return typeof parameters === 'object' && parameters !== null
    ? (parameters as Readonly<Record<string, unknown>>)
    : {};
}
