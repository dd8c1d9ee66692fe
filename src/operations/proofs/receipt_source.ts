import type { Activity } from '../../core/organization/records/activity.ts';

/** The entry of an activity in the log: see docs/receipts.md. */
export type ReceiptParts = {
  /** The text that the log commits to, and its salt in base64. */
  readonly entry: string;
  readonly salt: string;
  /** The activity as it was sealed. */
  readonly record: string;
  /** The proof that a checkpoint has the entry, as C2SP's tlog-proof writes it. */
  readonly proof: string;
};

/** The receipts of activities. */
export type ReceiptSource = {
  /** Returns undefined if the log does not have the activity in its version. */
  receiptOf(activity: Activity): Promise<ReceiptParts | undefined>;
};
