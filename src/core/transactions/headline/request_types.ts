// Kinds of requests that move amounts. This file is separate from their large readers.

/** The parameters of an activity. */
export type Intent = Readonly<Record<string, unknown>>;

/** Returns the name of an activity type without its version: `SIGN_TRANSACTION`. */
const kindOf = (type: string): string => type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, '');

const transactionKinds = ['SIGN_TRANSACTION', 'ETH_SEND_TRANSACTION', 'SOL_SEND_TRANSACTION'];
const marketKinds = ['EARN_DEPOSIT', 'EARN_WITHDRAW', 'EXECUTE_SWAP'] as const;

export type MarketKind = (typeof marketKinds)[number];

/** The activity type that stores a contract interface. */
export const createsInterface = 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE';

/** Returns true if the activity signs or sends transactions that its parameters describe. */
export const isTransactionRequest = (type: string): boolean =>
  transactionKinds.includes(kindOf(type)) || marketKindOf(type) !== undefined;

/** Returns the kind of a deposit, withdrawal or swap, whose calls the service composes. */
export const marketKindOf = (type: string): MarketKind | undefined =>
  marketKinds.find((kind) => kind === kindOf(type));
