// The two forms of a stored API key: unsealed, or sealed by a passphrase.

type Members = {
  readonly apiPublicKey: string;
  readonly baseUrl?: string;
  readonly organizationId?: string;
  /** The owner of the key, if known at its creation. */
  readonly userId?: string;
};

/** A key that stamps requests, as in `root-credentials.json` and the key files of profiles. */
export type KeyFile = Members & { readonly apiPrivateKey: string };

/** A key file whose private key is sealed by a passphrase. */
export type SealedKeyFile = Members & {
  /** The format of the sealed root key, with a first line that contains the public key. */
  readonly sealedPrivateKey: string;
};

export type StoredKey = KeyFile | SealedKeyFile;

export const isSealed = (stored: StoredKey): stored is SealedKeyFile =>
  'sealedPrivateKey' in stored;
