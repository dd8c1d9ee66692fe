// The two forms of a stored API key: in the open, or sealed by a passphrase.

type Members = {
  readonly apiPublicKey: string;
  readonly baseUrl?: string;
  readonly organizationId?: string;
  /** The owner of the key, if known when the key was created. */
  readonly userId?: string;
};

/** A key that stamps requests, as `root-credentials.json` and key files of profiles hold it. */
export type KeyFile = Members & { readonly apiPrivateKey: string };

/** The content of a key file whose private key a passphrase seals. */
export type SealedKeyFile = Members & {
  /** Text that `sealKey` of the service's root key writes, under a first line with the public key. */
  readonly sealedPrivateKey: string;
};

export type StoredKey = KeyFile | SealedKeyFile;

export const isSealed = (stored: StoredKey): stored is SealedKeyFile =>
  'sealedPrivateKey' in stored;
