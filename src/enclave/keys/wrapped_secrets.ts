// The secrets of one organization in its records: each sealed again for its record.

import { base64url, bytesOfBase64url, wipe } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import type { HeldKeyKind, WrappedSecret } from '../../core/keys/keyring.ts';
import type { Sealing } from './sealing.ts';

/** A wrapped secret never changes, so its version is fixed. */
const secretVersion = 1;

/** The kind of a wrapped secret; it opens as no other kind. */
type SecretKind = 'wallet' | 'private_key' | 'text' | HeldKeyKind;

/** A record that keeps a secret. */
export type SecretRecord = { readonly id: string; readonly secret: WrappedSecret };

export type WrappedSecrets = {
  /** Seals a secret for the record of that id; the secret is the caller's to wipe. */
  wrap(kind: SecretKind, id: string, secret: Uint8Array): WrappedSecret;
  /** Opens the secret of a record for one use, and wipes it. */
  unwrapped<Result>(
    kind: SecretKind,
    record: SecretRecord,
    use: (secret: Uint8Array) => Result,
  ): Result;
};

export function createWrappedSecrets(organizationId: string, wrapping: Sealing): WrappedSecrets {
  const addressOf = (kind: SecretKind, id: string) => ({
    organizationId,
    kind: `${kind}_secret`,
    id,
    version: secretVersion,
  });
  return {
    wrap: (kind, id, secret) => base64url(wrapping.seal(addressOf(kind, id), secret)),
    unwrapped: (kind, { id, secret: wrapped }, use) => {
      const sealed = bytesOfBase64url(wrapped);
      const secret = sealed === undefined ? undefined : wrapping.open(addressOf(kind, id), sealed);
      assert(secret !== undefined, 'a secret opens in the record that it was wrapped for');
      try {
        return use(secret);
      } finally {
        wipe(secret);
      }
    },
  };
}
