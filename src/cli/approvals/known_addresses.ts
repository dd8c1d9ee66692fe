// Reads the names of addresses and the payments of the organization from the service.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import type { KnownAddresses } from '../../core/transactions/headline/headline.ts';

/** Maximum number of accounts whose names and keys are read. */
const maximumAccounts = 1_000;
/** Maximum number of payments that are examined: one page of the list. */
const maximumPayments = 100;

/** Reads names and payments; returns undefined if the service rejects one of the reads. */
export async function readKnownAddresses(client: Client): Promise<KnownAddresses | undefined> {
  const { knownAddresses, paymentTypes } = await import(
    '../../core/transactions/headline/known_addresses.ts'
  );
  try {
    const [{ wallets }, accounts, { privateKeys }, payments] = await Promise.all([
      client.query('list_wallets'),
      accountsOf(client),
      client.query('list_private_keys'),
      client.query('list_activities', {
        filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
        filterByType: paymentTypes,
        paginationOptions: { limit: String(maximumPayments) },
      }),
    ]);
    return knownAddresses({
      wallets,
      accounts,
      privateKeys,
      entries: [],
      payments: payments.activities.map(({ type, createdAt, intent }) => ({
        type,
        createdAtMs: millisecondsOf(createdAt),
        intent: parametersOf(intent),
      })),
      hasOlderPayments:
        payments.truncated === true || payments.activities.length === maximumPayments,
    });
  } catch (error) {
    // The headline then shows addresses without names.
    if (error instanceof RequestFailed) return undefined;
    throw error;
  }
}

async function accountsOf(client: Client) {
  const accounts = [];
  for await (const account of client.pages('list_wallet_accounts')) {
    accounts.push(account);
    if (accounts.length === maximumAccounts) break;
  }
  return accounts;
}

const millisecondsOf = (time: string | { readonly seconds: string }): number =>
  typeof time === 'string' ? Date.parse(time) : Number(time.seconds) * 1000;

function parametersOf(intent: unknown): Readonly<Record<string, unknown>> {
  const [parameters] = Object.values(intent ?? {});
  return typeof parameters === 'object' && parameters !== null
    ? (parameters as Readonly<Record<string, unknown>>)
    : {};
}
