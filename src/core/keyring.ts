// What operations may ask of the keys that the enclave holds. The secrets themselves never pass
// through here: they stay wrapped in the records, and are opened only inside the keyring.

import type { SignatureScheme } from './address/index.ts';
import type { PrivateKey, Wallet, WalletAccount } from './model.ts';
import type { CurveName } from './names.ts';

/** A secret as it is kept in a record: sealed once more, base64url. */
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
  /** Signs the bytes that `digestPayload` gave. */
  sign(key: SigningKey, scheme: SignatureScheme, signedBytes: Uint8Array): RawSignature;
  /** Signs each of many, in their order: the key is opened once. */
  signAll(
    key: SigningKey,
    scheme: SignatureScheme,
    signedBytes: readonly Uint8Array[],
  ): RawSignature[];
};

/** What signs: an account of a wallet, or a private key. */
export type SigningKey =
  | {
      readonly kind: 'wallet_account';
      readonly wallet: Pick<Wallet, 'id' | 'secret'>;
      readonly account: Pick<WalletAccount, 'curve' | 'path'>;
    }
  | {
      readonly kind: 'private_key';
      readonly privateKey: Pick<PrivateKey, 'id' | 'secret' | 'curve'>;
    };

/** r and s: 32 bytes each (halves of the 64-byte signature for Ed25519 and Schnorr). */
export type RawSignature = {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** Recovery bit of ECDSA; 0 otherwise. */
  readonly v: 0 | 1;
};
