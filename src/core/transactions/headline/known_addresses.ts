// Finds the names of addresses and the earlier payments of an organization in listed rows.

import { explainRequest, type RequestSigner, signerOf } from './explain_request.ts';
import { addressKey, type KnownAddresses, type PaymentsSeen, recipientsOf } from './headline.ts';
import type { Intent } from './request_types.ts';

type Account = {
  readonly walletId: string;
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey?: string | undefined;
  readonly name?: string | undefined;
};

type PrivateKey = {
  readonly privateKeyId: string;
  readonly privateKeyName: string;
  readonly publicKey: string;
  readonly addresses: readonly {
    readonly address?: string | undefined;
    readonly format?: string | undefined;
  }[];
};

/** An organization's rows as listed by its service. */
export type ReportedRows = {
  readonly wallets: readonly { readonly walletId: string; readonly walletName: string }[];
  readonly accounts: readonly Account[];
  readonly privateKeys: readonly PrivateKey[];
  readonly entries: readonly { readonly label: string; readonly address: string }[];
  /** Completed payments, newest first. */
  readonly payments: readonly Payment[];
  /** True if there are older payments. */
  readonly hasOlderPayments: boolean;
};

type Payment = {
  readonly type: string;
  readonly createdAtMs: number;
  /** The parameters of the activity. */
  readonly intent: Intent;
};

/** Activity types that count as payments. */
export const paymentTypes = [
  'ACTIVITY_TYPE_SIGN_TRANSACTION',
  'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  'ACTIVITY_TYPE_ETH_SEND_TRANSACTION',
  'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
  'ACTIVITY_TYPE_SOL_SEND_TRANSACTION',
  'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
] as const;

/** Returns the names of addresses and the recipients of earlier payments. */
export function knownAddresses(rows: ReportedRows): KnownAddresses {
  return {
    own: ownNames(rows),
    book: bookNames(rows),
    ...paymentsIn(rows),
  };
}

/** Names addresses by their labels: `Kraken (exchanges)`, `exchanges, payroll`. */
function bookNames({ entries }: ReportedRows): ReadonlyMap<string, string> {
  const labels = Map.groupBy(entries, ({ address }) => addressKey(address));
  return new Map(
    [...labels].map(([key, rows]) => [key, rows.map(({ label }) => label).join(', ')]),
  );
}

/** Names addresses: `treasury / account 1`, `treasury / payroll`, `deploy key`. The first account wins. */
function ownNames({ wallets, accounts, privateKeys }: ReportedRows): ReadonlyMap<string, string> {
  const walletNames = new Map(wallets.map(({ walletId, walletName }) => [walletId, walletName]));
  const counts = new Map<string, number>();
  const names = accounts.map(({ walletId, address, name = '' }): [string, string] => {
    const number = (counts.get(walletId) ?? 0) + 1;
    counts.set(walletId, number);
    const account = name === '' ? `account ${number}` : name;
    return [addressKey(address), `${walletNames.get(walletId) ?? walletId} / ${account}`];
  });
  const keys = privateKeys.flatMap(({ privateKeyName, addresses }) =>
    addresses.map(({ address = '' }): [string, string] => [addressKey(address), privateKeyName]),
  );
  return new Map([...keys, ...names.toReversed()]);
}

function paymentsIn({ payments, hasOlderPayments, ...rows }: ReportedRows): {
  readonly paid: ReadonlySet<string>;
  readonly seen: PaymentsSeen;
} {
  const accountOf = accountFinder(rows);
  const paid = new Set(
    payments.flatMap((payment) => recipientsOfPayment(payment, accountOf)).map(addressKey),
  );
  const oldest = payments.at(-1);
  const sinceMs = hasOlderPayments ? oldest?.createdAtMs : undefined;
  return { paid, seen: { count: payments.length, ...(sinceMs === undefined ? {} : { sinceMs }) } };
}

/** Finds accounts by address, and private keys by address or id. */
export type AccountOf = (signWith: string) => RequestSigner | undefined;

/** Returns the function that finds the account of a request. */
export function accountFinder({
  accounts,
  privateKeys,
}: Pick<ReportedRows, 'accounts' | 'privateKeys'>): AccountOf {
  const known = new Map<string, RequestSigner>();
  for (const { privateKeyId, publicKey, addresses } of privateKeys) {
    for (const { address, format } of addresses.toReversed()) {
      if (address === undefined || format === undefined) continue;
      const account = { address, addressFormat: format, publicKey };
      known.set(addressKey(address), account).set(privateKeyId, account);
    }
  }
  for (const { address, addressFormat, publicKey } of accounts.toReversed()) {
    if (publicKey !== undefined) {
      known.set(addressKey(address), { address, addressFormat, publicKey });
    }
  }
  return (signWith) => known.get(addressKey(signWith)) ?? known.get(signWith.toLowerCase());
}

/** Returns the recipients of a payment. Returns an empty list for an unreadable transaction. */
function recipientsOfPayment({ type, intent }: Payment, accountOf: AccountOf): readonly string[] {
  const signer = signerOf(intent);
  const account = accountOf(signer);
  const explained = explainRequest(type, intent, account);
  return explained === undefined ? [] : recipientsOf(explained, account?.address ?? signer);
}
