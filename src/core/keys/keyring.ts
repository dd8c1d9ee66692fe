// The operations' view of the keys that the enclave holds. The secrets themselves never pass
// through here: they stay wrapped in the records, and are opened only inside the keyring.

import type { SignatureScheme } from '../address/index.ts';
import type { CurveName, MnemonicLanguage } from '../base/enums.ts';
import type { PrivateKey, Wallet, WalletAccount } from '../organization/model.ts';
import type { OrganizationKeyHolder } from '../organization/records/organization_key.ts';
import type { SealableKind } from './organization_keys.ts';

/** A secret in a record: sealed again inside the sealed record, base64url. */
export type WrappedSecret = string;

export type Keyring = {
  /** A new random seed of 12, 15, 18, 21 or 24 words for the wallet of that id. */
  createSeed(walletId: string, wordCount: number): WrappedSecret;
  /** Public key (33-byte compressed point, or 32 bytes) of a path of the wallet. */
  publicKeyAt(wallet: Pick<Wallet, 'id' | 'secret'>, curve: CurveName, path: string): Uint8Array;
  /** A new random private key for the record of that id. */
  createPrivateKey(
    privateKeyId: string,
    curve: CurveName,
  ): { secret: WrappedSecret; publicKey: Uint8Array };
  /**
   * Keeps what `readImportedSentence` reads, for the wallet of that id; undefined where the bytes are
   * no sentence. They are the caller's to wipe.
   */
  importSeed(
    walletId: string,
    contents: Uint8Array,
  ): { secret: WrappedSecret; language: MnemonicLanguage } | undefined;
  /** Stores a private key of 32 bytes for the record of that id. Returns undefined for an invalid key. */
  importPrivateKey(
    privateKeyId: string,
    curve: CurveName,
    privateKey: Uint8Array,
  ): { secret: WrappedSecret; publicKey: Uint8Array } | undefined;
  /**
   * Hands out the sentence of a wallet for one use, and wipes it: UTF-8, after a line feed the
   * passphrase that an imported one may have.
   */
  useSentence<Result>(
    wallet: Pick<Wallet, 'id' | 'secret' | 'language'>,
    use: (sentence: Uint8Array) => Result,
  ): Result;
  /** Hands out a private key (32 bytes; of Ed25519 the seed) for one use, and wipes it. */
  usePrivateKey<Result>(key: SigningKey, use: (privateKey: Uint8Array) => Result): Result;
  /** Keeps a text for the secret of that id; it is the caller's to wipe. */
  keepText(secretId: string, text: Uint8Array): WrappedSecret;
  /** Hands out a text of `keepText` for one use, and wipes it. */
  useText<Result>(
    record: { readonly id: string; readonly secret: WrappedSecret },
    use: (text: Uint8Array) => Result,
  ): Result;
  /** A new random P-256 key for the record of that id; the public key has 65 bytes. */
  createHeldKey(
    kind: HeldKeyKind,
    recordId: string,
  ): { secret: WrappedSecret; publicKey: Uint8Array };
  /** Hands out a key of `createHeldKey` (32 bytes) for one use, and wipes it. */
  useHeldKey<Result>(
    kind: HeldKeyKind,
    record: { readonly id: string; readonly secret: WrappedSecret },
    use: (privateKey: Uint8Array) => Result,
  ): Result;
  /** Signs the bytes that `digestPayload` returned. */
  sign(key: SigningKey, scheme: SignatureScheme, signedBytes: Uint8Array): RawSignature;
  /** Signs each of many, in their order: the key is opened once. */
  signAll(
    key: SigningKey,
    scheme: SignatureScheme,
    signedBytes: readonly Uint8Array[],
  ): RawSignature[];
  /** The organization's own key, if it has one. */
  readonly organizationKey: OrganizationKeyring;
};

/**
 * The organization's own key, used in addition to the root key. `encryptedSecret` is the secret of a holder,
 * sealed to the key of this run of the enclave; other texts raise `holder_secret_unreadable`.
 */
export type OrganizationKeyring = {
  /** Returns true if this enclave holds the key, or if the organization has no key of its own. */
  isUnsealed(): boolean;
  /**
   * Creates the key with its first holder. `move` receives the function that seals the secret of a record by
   * the new key. `hold` stores the key in memory; call it once the change is durable.
   */
  create(
    first: { readonly id: string; readonly holderId: string; readonly encryptedSecret: string },
    move: (
      sealed: (
        kind: SealableKind,
        record: { readonly id: string; readonly secret: WrappedSecret },
      ) => WrappedSecret,
    ) => void,
  ): { readonly sealedKey: string; readonly hold: HoldKey };
  /** Seals the key for a further holder. Raises `organization_sealed`. */
  sealFor(holderId: string, encryptedSecret: string): string;
  /**
   * Returns a function that stores the key in memory; call it once the change is durable. Returns undefined
   * if the secret does not belong to the holder.
   */
  unseal(
    holder: Pick<OrganizationKeyHolder, 'id' | 'sealedKey'>,
    encryptedSecret: string,
  ): HoldKey | undefined;
};

/** Keeps an organization key in memory. `parentId` is that of its organization. */
export type HoldKey = (parentId: string | undefined) => void;

/** The kinds of P-256 keys of the service that belong to no wallet; a key of one kind opens as no other. */
export type HeldKeyKind = 'import_target' | 'otp_target' | 'auth_proxy';

/** The signer: an account of a wallet, or a private key. */
export type SigningKey =
  | {
      readonly kind: 'wallet_account';
      readonly wallet: Pick<Wallet, 'id' | 'secret'>;
      readonly account: Pick<WalletAccount, 'curve' | 'path'>;
    }
  | {
      readonly kind: 'private_key';
      readonly privateKey: Pick<PrivateKey, 'id' | 'secret' | 'curve' | 'heldBy'>;
    };

/** r and s: 32 bytes each (halves of the 64-byte signature for Ed25519 and Schnorr). */
export type RawSignature = {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** Recovery bit of ECDSA; 0 otherwise. */
  readonly v: 0 | 1;
};
