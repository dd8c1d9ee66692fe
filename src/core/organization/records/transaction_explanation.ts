// The effects of a request, for people. Dry runs, decisions, waiting activities, webhooks and all screens
// use the same object.

/**
 * The explanation of one transaction, payload or contract interface. Every text is one plain sentence;
 * amounts are decimal text.
 */
export type TransactionExplanation = {
  /** One sentence about the parties and the effect. */
  readonly summary: string;
  /** The effects, in the order of the transaction. */
  readonly effects: readonly Effect[];
  /** Maximum cost in addition to the moved amounts. Undefined if the transaction does not state it. */
  readonly fee?: Fee;
  /** The warnings that a person should read, most serious first. */
  readonly warnings: readonly Warning[];
};

export type Effect = {
  readonly kind: EffectKind;
  readonly text: string;
  /** Addresses in the spelling of their chain. */
  readonly from?: string;
  readonly to?: string;
  /** Decimal integer in the smallest unit of the asset. */
  readonly amount?: string;
  /** `ETH`, `SOL`, `BTC`, `TRX`, or the address of the token's contract or mint. */
  readonly asset?: string;
  /** The called contract or program. */
  readonly contract?: string;
  /** Name of the function or instruction in an interface of the organization, if known. */
  readonly functionName?: string;
  readonly arguments?: readonly { readonly name: string; readonly value: string }[];
};

export const effectKinds = [
  'TRANSFER',
  'TOKEN_TRANSFER',
  'APPROVAL',
  'CALL',
  'CONTRACT_CREATION',
  'DELEGATION',
  'PERMISSION_CHANGE',
  'RESOURCE_CHANGE',
  'DATA',
  'VALIDITY',
  'MESSAGE',
  'DESCRIPTION',
] as const;
export type EffectKind = (typeof effectKinds)[number];

/** Decimal integer in the smallest unit of the asset. */
export type Fee = {
  readonly maximum: string;
  readonly asset: string;
  /** Default: the signing account. */
  readonly payer?: string;
  readonly text: string;
};

export const warningCodes = [
  'UNLIMITED_APPROVAL',
  'APPROVAL',
  'UNKNOWN_CONTRACT',
  'UNREADABLE_CALL_DATA',
  'CODE_DELEGATION',
  'NO_CHAIN_ID',
  'DURABLE_NONCE',
  'NEW_AUTHORITY',
  'OWNER_IS_ANOTHER',
  'FEE_PAYER_IS_ANOTHER',
  'HIDDEN_ACCOUNTS',
  'HIGH_FEE',
  'UNVERIFIED_AMOUNT',
  'AMOUNT_DESTROYED',
  'OTHER_SIGNERS',
  'NO_EXPIRY',
  'HASH_ONLY',
  'UNKNOWN_PAYLOAD',
  'UNUSUAL_TEXT',
  'NOT_DESCRIBED',
  'NAME_OF_ANOTHER_CALL',
  'NOT_DECODED',
] as const;
export type WarningCode = (typeof warningCodes)[number];

export type Warning = { readonly code: WarningCode; readonly text: string };
