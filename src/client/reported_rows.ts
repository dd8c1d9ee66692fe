// Reads the rows that name the addresses of an organization: wallets, accounts, private keys, the address
// book and payments.

import type { Client } from './connect.ts';
import type { CallOptions } from './requests.ts';

export const maximumAccounts = 1_000;
/** Maximum payments to read: one page of the list. */
const maximumPayments = 100;

/**
 * Reads the wallets, private keys, the address book, at most `maximumAccounts` accounts, and the newest
 * completed activities of these types. Throws `RequestFailed` if the service rejects a read.
 */
export async function readReportedRows(
  client: Client,
  paymentTypes: readonly string[],
  options: CallOptions = {},
) {
  const [{ wallets }, accounts, { privateKeys }, { addressLabels }, payments] = await Promise.all([
    client.query('list_wallets', {}, options),
    accountsOf(client, options),
    client.query('list_private_keys', {}, options),
    client.query('list_address_labels', {}, options),
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
  return {
    wallets,
    accounts,
    privateKeys,
    entries: addressLabels.flatMap(({ label, addresses }) =>
      addresses.map(({ address, name }) => ({
        label: name === undefined ? label : `${name} (${label})`,
        address,
      })),
    ),
    payments: payments.activities.map(({ type, createdAt, intent }) => ({
      type,
      createdAtMs: msOf(createdAt),
      intent: parametersOf(intent),
    })),
    hasOlderPayments: payments.truncated === true || payments.activities.length === maximumPayments,
  };
}

async function accountsOf(client: Client, options: CallOptions) {
  const accounts = [];
  for await (const account of client.pages('list_wallet_accounts', {}, options)) {
    accounts.push(account);
    if (accounts.length === maximumAccounts) break;
  }
  return accounts;
}

const msOf = (time: string | { readonly seconds: string }): number =>
  typeof time === 'string' ? Date.parse(time) : Number(time.seconds) * 1000;

/** Returns the parameters of an activity: the only member of its intent. */
function parametersOf(intent: unknown): Readonly<Record<string, unknown>> {
  const [parameters] = Object.values(intent ?? {});
  return typeof parameters === 'object' && parameters !== null
    ? (parameters as Readonly<Record<string, unknown>>)
    : {};
}
