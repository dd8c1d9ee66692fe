// The optional key of an organization. The service stores it only sealed by the secrets of its holders.

/** The source of a holder's secret: a passphrase, or the PRF extension of a passkey. */
export const keyHolderTypes = ['KEY_HOLDER_TYPE_PASSPHRASE', 'KEY_HOLDER_TYPE_PASSKEY'] as const;
export type KeyHolderType = (typeof keyHolderTypes)[number];

export type OrganizationKeyHolder = {
  readonly id: string;
  readonly name: string;
  readonly type: KeyHolderType;
  /** Public parameters from which clients derive the holder's secret. */
  readonly derivation: string;
  /** The organization key, sealed by the holder's secret: base64url. */
  readonly sealedKey: string;
  readonly createdAtMs: number;
};

/** Identifies a key and the period since its last seal. An enclave holds a key for exactly one mark. */
export type OrganizationKeyMark = {
  readonly id: string;
  /** Number of seals so far. An enclave that was unsealed before the last seal does not use the key. */
  readonly seals: number;
};

export type OrganizationKey = OrganizationKeyMark & {
  readonly holders: readonly OrganizationKeyHolder[];
  readonly createdAtMs: number;
};
