// The reads of an organization beyond small state.

import type { ChainName } from '../core/balances/cursor.ts';
import type { ActivityStatus } from '../core/base/enums.ts';
import type { IndexName } from '../core/organization/indexes/indexes.ts';
import type {
  ContractInterface,
  PolicySet,
  SecretText,
  WalletAccount,
} from '../core/organization/model.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { ArchivedActivities } from '../core/organization/records/archive.ts';
import type { ChainTransaction } from '../core/organization/records/chain_transactions.ts';
import type { EmailEvent } from '../core/organization/records/email_events.ts';
import type { Send, SentNonce } from '../core/organization/records/sends.ts';
import type { Delivery } from '../core/webhooks/delivery_view.ts';

/** A page of a list, with exclusive cursors. */
export type Page = {
  readonly limit: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Filter of activities; empty lists match all. */
export type ActivityFilter = {
  readonly statuses: readonly ActivityStatus[];
  readonly types: readonly string[];
  /** Only ids from this one on. */
  readonly fromId?: string | undefined;
  /** Only ids before this one. */
  readonly beforeId?: string | undefined;
};

/** The activities of one read. `isCut`: the read ended early, because one answer cannot hold more. */
export type ActivityPage = {
  readonly activities: readonly Activity[];
  readonly isCut: boolean;
  /** The approximate size of the activities in an answer, in bytes. */
  readonly bytes: number;
};

/** A transaction in a block of the current chain, and whether it is final. */
export type SeenTransaction = {
  readonly transaction: ChainTransaction;
  readonly status: 'CONFIRMED' | 'FINALIZED';
};

/** Verified reads beyond small state, within the one organization the request names. */
export type Reader = {
  /** The oldest account with this stored address; it may have been looked up under the same guard. */
  signingAccount(address: string): WalletAccount | undefined | Promise<WalletAccount | undefined>;
  /** Accounts with this stored address, oldest first (the same key may sit in two wallets). */
  walletAccountsByAddress(address: string): Promise<readonly WalletAccount[]>;
  walletAccountsByName(name: string): Promise<readonly WalletAccount[]>;
  /** Returns the accounts of a wallet with exactly this path, oldest first: one for each address format. */
  walletAccountsByPath(walletId: string, path: string): Promise<readonly WalletAccount[]>;
  walletAccounts(ids: readonly string[]): Promise<readonly WalletAccount[]>;
  /** Returns accounts of one wallet or of all, oldest first. */
  walletAccountPage(walletId: string | undefined, page: Page): Promise<readonly WalletAccount[]>;
  /** Returns the texts of contract interfaces by id. Omits deleted ones. */
  contractInterfaceTexts(
    interfaces: readonly ContractInterface[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Returns the wrapped texts of secrets by id. Omits deleted ones. */
  secretTexts(ids: readonly string[]): Promise<ReadonlyMap<string, SecretText>>;
  activity(id: string): Promise<Activity | undefined>;
  /** Returns the activities of these ids, in the order of the ids. Missing activities are omitted. */
  activities(ids: readonly string[]): Promise<ActivityPage>;
  /** Returns the activity with this fingerprint, if it ever waited for votes. */
  votedActivity(fingerprint: string): Promise<Activity | undefined>;
  /** Returns the archive segment that covers the time of this activity. */
  archiveSegmentOf(activityId: string): Promise<ArchivedActivities | undefined>;
  /** Returns archive segments with activities of the organization, newest first. */
  newestArchiveSegments(limit: number): Promise<readonly ArchivedActivities[]>;
  /**
   * Returns the organization's transactions by id. Omits unknown ids. Rejects a missing row of a transaction
   * in progress.
   */
  sends(ids: readonly string[]): Promise<ReadonlyMap<string, Send>>;
  /** Returns the nonces of an address on a chain that final transactions have used; undefined without any. */
  sentNonce(place: Pick<SentNonce, 'caip2' | 'address'>): Promise<SentNonce | undefined>;
  /** Returns the events of mails to an address, in any letter case, newest first: at most 200. */
  emailEvents(address: string): Promise<readonly EmailEvent[]>;
  /** Returns observed transactions of an address (in the spelling of its chain), newest first. */
  chainTransactions(
    chain: ChainName,
    address: string,
    page: Page,
  ): Promise<readonly SeenTransaction[]>;
  /** Returns IDs of the organization's sends with these hashes; the caller compares the hashes. */
  sendsOf(caip2: string, txHashes: readonly string[]): Promise<readonly string[]>;
  policySet(name: string): Promise<PolicySet | undefined>;
  /**
   * Returns events of an endpoint with numbers greater than `after`, in order, or those with these ids, and
   * the number of the newest event ever. `limit` and ids: 1 to 100.
   */
  webhookDeliveries(
    endpointId: string,
    selection:
      | { readonly after: number; readonly limit: number; readonly withBodies?: boolean }
      | { readonly eventIds: readonly string[] },
  ): Promise<{
    readonly lastSequence: number;
    readonly deliveries: readonly Delivery[];
    /** True if the read ended early, because one answer cannot hold more bodies. */
    readonly isCut: boolean;
  }>;
  /** Returns activities, newest first. */
  activityPage(filter: ActivityFilter, page: Page): Promise<ActivityPage>;
  /** Ids of living sub-organizations, oldest first; all of them or those found by a value. */
  childPage(filter: ChildEntry | undefined, page: Page): Promise<readonly string[]>;
  /** Existing sub-organizations with a user whose contact is verified, oldest first. */
  verifiedChildPage(page: Page): Promise<ChildPage>;
  /** The same of a value, in the order of its registrations; at most 10. */
  childrenWith(filter: ChildEntry): Promise<readonly string[]>;
  /** Returns true if an active sub-organization has this ID. */
  isChild(id: string): Promise<boolean>;
  /** Returns the ids of the existing organizations that hold an envelope (`envelopeValue`); at most 10. */
  organizationsWithEnvelope(value: string): Promise<readonly string[]>;
};

export type ChildIndex = Extract<IndexName, `child_${string}`>;

/** A page of sub-organizations. `seen` is the ID at which the reading ended before the page was full. */
export type ChildPage = { readonly ids: readonly string[]; readonly seen?: string };

/** The key of a child of its parent. */
export type ChildEntry = { readonly index: ChildIndex; readonly value: string };
