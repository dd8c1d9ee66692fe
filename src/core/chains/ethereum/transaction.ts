// Ethereum's transactions: legacy with and without EIP-155, EIP-2930, EIP-1559, EIP-4844, EIP-7702.

/** An unsigned transaction. Members that its type does not have are absent, lists empty. */
export type EthereumTransaction = {
  readonly type: EthereumTransactionType;
  /** The bytes as sent, which are hashed and signed. */
  readonly bytes: Uint8Array;
  /** Undefined for a legacy transaction without EIP-155, which is valid on every chain. */
  readonly chainId?: bigint;
  readonly nonce: bigint;
  /** Only legacy and type 1. All fees are in wei per unit of gas. */
  readonly gasPrice?: bigint;
  /** Only types 2 to 4. */
  readonly maxPriorityFeePerGas?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly gas: bigint;
  /** 20 bytes; empty for the creation of a contract. */
  readonly to: Uint8Array;
  /** In wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  /** Only type 3. */
  readonly maxFeePerBlobGas?: bigint;
  /** 32 bytes each. */
  readonly blobVersionedHashes: readonly Uint8Array[];
  readonly authorizationList: readonly SignedAuthorization[];
};

/** Storage that the sender declares it will access (EIP-2930). */
export type AccessListEntry = {
  readonly address: Uint8Array;
  /** 32 bytes each. */
  readonly storageKeys: readonly Uint8Array[];
};

/** An authorization to set code, signed by the account that gets the code (EIP-7702). */
export type SignedAuthorization = {
  /** 0 means every chain. */
  readonly chainId: bigint;
  /** Address of the code; zero removes the code. */
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
  /** The known signer (20 bytes) while r and s are not set. It is not part of the transaction's bytes. */
  readonly authority?: Uint8Array;
};

/** Type names in policies. */
export type EthereumTransactionType = 'LEGACY' | 'TYPE_1' | 'TYPE_2' | 'TYPE_3' | 'TYPE_4';

/** A member that is written as one item of the transaction's list. */
export type EthereumField = Exclude<keyof EthereumTransaction, 'type' | 'bytes'>;

type Layout = {
  /** The byte before the list (EIP-2718); undefined for legacy transactions. */
  readonly typeByte: number | undefined;
  /** The items of the list, in order. */
  readonly fields: readonly EthereumField[];
};

const fees = ['maxPriorityFeePerGas', 'maxFeePerGas'] as const;
const call = ['gas', 'to', 'value', 'data'] as const;
const type2 = ['chainId', 'nonce', ...fees, ...call, 'accessList'] as const;

/** The items of each type. A legacy transaction with EIP-155 has `chainId` and two empty items more. */
export const layouts: Readonly<Record<EthereumTransactionType, Layout>> = {
  LEGACY: { typeByte: undefined, fields: ['nonce', 'gasPrice', ...call] },
  TYPE_1: { typeByte: 1, fields: ['chainId', 'nonce', 'gasPrice', ...call, 'accessList'] },
  TYPE_2: { typeByte: 2, fields: type2 },
  TYPE_3: { typeByte: 3, fields: [...type2, 'maxFeePerBlobGas', 'blobVersionedHashes'] },
  TYPE_4: { typeByte: 4, fields: [...type2, 'authorizationList'] },
};

/** Bounds besides those of single fields. */
export const ethereumLimits = {
  /** Nodes accept no larger transactions; this size is read and explained in milliseconds. */
  bytes: 131_072,
  /** Recovering their signers takes longer than any other part of a transaction of that size. */
  authorizations: 32,
} as const;
