import type { Activity } from '../../core/organization/records/activity.ts';

/** The entry of an activity in the log: see docs/receipts.md. */
type ReceiptParts = {
  /** The text that the log commits to, and its salt in base64. */
  readonly entry: string;
  readonly salt: string;
  /** The sealed text of the activity. */
  readonly record: string;
  /** The proof that a checkpoint includes the entry, in the format of C2SP's tlog-proof. */
  readonly proof: string;
  /** The run of the enclave that appended the entry; absent for entries of earlier releases. */
  readonly bootEntry?: string;
  readonly bootPlace?: string;
  readonly runProof?: string;
};

/** Ordered entries of an organization: see docs/receipts.md. */
export type LogChain = {
  readonly entries: readonly {
    /** Index in the log. */
    readonly index: number;
    readonly entry: string;
    readonly salt: string;
  }[];
  /** Cursor of the next page. Absent on the last page. */
  readonly nextCursor?: string;
  /** The proof of the last entry. Absent if the organization has no entry since the start of the map. */
  readonly end?: {
    /** The state of the organization in the map, as text. */
    readonly mapState: string;
    /** The pages of the map from its root to the organization, base64. */
    readonly pages: readonly string[];
    /** The last entry of the log, which has the root of the map. */
    readonly mapEntry: string;
    /** The proof that a checkpoint ends with that entry, in the format of C2SP's tlog-proof. */
    readonly proof: string;
  };
};

export type ReceiptSource = {
  chainOf(organizationId: string, cursor: string): Promise<LogChain>;
  /** Returns undefined if the log does not have the activity in its version. */
  receiptOf(activity: Activity): Promise<ReceiptParts | undefined>;
};
