// The operations' access to keys of the enclave. Records contain only wrapped secrets, which the keyring
// opens internally.

import type { SignatureScheme } from '../address/index.ts';
import type { CurveName, MnemonicLanguage } from '../base/enums.ts';
import type { PrivateKey, Wallet, WalletAccount } from '../organization/model.ts';
import type { OrganizationKeyHolder } from '../organization/records/organization_key.ts';
import type { SealableKind } from './organization_keys.ts';

/** A secret in a record: sealed again inside the sealed record, base64url. */
export type WrappedSecret = string;

export type Keyring = {
  /** Creates a random seed of 12, 15, 18, 21 or 24 words for the wallet with this ID. */
  createSeed(walletId: string, wordCount: number): WrappedSecret;
  /** Returns the public key at a path of the wallet: 33-byte compressed point, or 32 bytes. */
  publicKeyAt(wallet: Pick<Wallet, 'id' | 'secret'>, curve: CurveName, path: string): Uint8Array;
  /** Creates a random private key for the record with this ID. */
  createPrivateKey(
    privateKeyId: string,
    curve: CurveName,
  ): { secret: WrappedSecret; publicKey: Uint8Array };
  /**
   * Seals the sentence of `readImportedSentence` for the wallet with this ID; undefined for an invalid
   * sentence. The caller wipes the bytes.
   */
  importSeed(
    walletId: string,
    contents: Uint8Array,
  ): { secret: WrappedSecret; language: MnemonicLanguage } | undefined;
  /** Seals a private key of 32 bytes for the record with this ID; undefined for an invalid key. */
  importPrivateKey(
    privateKeyId: string,
    curve: CurveName,
    privateKey: Uint8Array,
  ): { secret: WrappedSecret; publicKey: Uint8Array } | undefined;
  /**
   * Passes the sentence of a wallet to `use`, and wipes it: UTF-8, with an imported passphrase after a line
   * feed.
   */
  useSentence<Result>(
    wallet: Pick<Wallet, 'id' | 'secret' | 'language'>,
    use: (sentence: Uint8Array) => Result,
  ): Result;
  /** Passes a private key (32 bytes; the seed of Ed25519) to `use`, and wipes it. */
  usePrivateKey<Result>(key: SigningKey, use: (privateKey: Uint8Array) => Result): Result;
  /** Seals a text for the secret with this ID. The caller wipes the text. */
  keepText(secretId: string, text: Uint8Array): WrappedSecret;
  /** Passes a text of `keepText` to `use`, and wipes it. */
  useText<Result>(
    record: { readonly id: string; readonly secret: WrappedSecret },
    use: (text: Uint8Array) => Result,
  ): Result;
  /** Creates a random P-256 key for the record with this ID; the public key has 65 bytes. */
  createHeldKey(
    kind: HeldKeyKind,
    recordId: string,
  ): { secret: WrappedSecret; publicKey: Uint8Array };
  /** Passes a key of `createHeldKey` (32 bytes) to `use`, and wipes it. */
  useHeldKey<Result>(
    kind: HeldKeyKind,
    record: { readonly id: string; readonly secret: WrappedSecret },
    use: (privateKey: Uint8Array) => Result,
  ): Result;
  /** Signs the bytes that `digestPayload` returned. */
  sign(key: SigningKey, scheme: SignatureScheme, signedBytes: Uint8Array): RawSignature;
  /** Signs many, in their order. Opens the key only once. */
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

/** Stores an organization key in memory. `parentId` is the parent of its organization. */
export type HoldKey = (parentId: string | undefined) => void;

/** Kinds of the service's P-256 keys outside wallets. A key of one kind cannot be opened as another. */
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
