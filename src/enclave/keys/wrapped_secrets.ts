// The secrets in the records of one organization, each sealed for its record.

import { base64url, bytesOfBase64url, wipe } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import type { HeldKeyKind, WrappedSecret } from '../../core/keys/keyring.ts';
import type { SealableKind } from '../../core/keys/organization_keys.ts';
import type { Sealing } from './sealing.ts';

/** A wrapped secret never changes, so its version is fixed. */
const secretVersion = 1;

/** The kind of a wrapped secret; it cannot be opened as another kind. */
type SecretKind = SealableKind | 'text' | HeldKeyKind;

export type SecretRecord = { readonly id: string; readonly secret: WrappedSecret };

export type WrappedSecrets = {
  /** Seals a secret for the record with this id. The caller wipes the secret. */
  wrap(kind: SecretKind, id: string, secret: Uint8Array): WrappedSecret;
  /** Opens the secret of a record for one use, and wipes it. */
  unwrapped<Result>(
    kind: SecretKind,
    record: SecretRecord,
    use: (secret: Uint8Array) => Result,
  ): Result;
};

/** Seals secrets of wallets and private keys by the key of their organization. */
export type InnerSealing = {
  seal(kind: SealableKind, id: string, secret: Uint8Array): Uint8Array;
  /** Returns the secret, which the caller wipes. */
  open(kind: SealableKind, id: string, sealed: Uint8Array): Uint8Array;
};

/** `inner` seals secrets before they are wrapped. Default: the organization has no key of its own. */
export function createWrappedSecrets(
  organizationId: string,
  wrapping: Sealing,
  inner?: InnerSealing,
): WrappedSecrets {
  const addressOf = (kind: SecretKind, id: string) => ({
    organizationId,
    kind: `${kind}_secret`,
    id,
    version: secretVersion,
  });
  return {
    wrap: (kind, id, secret) => {
      const kept = inner !== undefined && isSealable(kind) ? inner.seal(kind, id, secret) : secret;
      return base64url(wrapping.seal(addressOf(kind, id), kept));
    },
    unwrapped: (kind, { id, secret: wrapped }, use) => {
      const sealed = bytesOfBase64url(wrapped);
      const secret = sealed === undefined ? undefined : wrapping.open(addressOf(kind, id), sealed);
      assert(secret !== undefined, 'a secret opens in the record that it was wrapped for');
      try {
        if (inner === undefined || !isSealable(kind)) return use(secret);
        const opened = inner.open(kind, id, secret);
        try {
          return use(opened);
        } finally {
          wipe(opened);
        }
      } finally {
        wipe(secret);
      }
    },
  };
}

const isSealable = (kind: SecretKind): kind is SealableKind =>
  kind === 'wallet' || kind === 'private_key';
