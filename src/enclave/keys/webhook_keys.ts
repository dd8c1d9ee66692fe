import { concatBytes } from '../../core/base/bytes.ts';
import { ed25519 } from '../../core/crypto/ed25519.ts';
import { assert } from '../../core/errors/errors.ts';
import { keyIdOf } from '../../core/webhooks/delivery.ts';
import type { RootKeys } from './root_keys.ts';

/** The keys that sign deliveries, derived from the root key by epoch. */
export type WebhookKeys = {
  /** 32 bytes. */
  publicKey(epoch: number): Uint8Array;
  keyId(epoch: number): string;
  /** An Ed25519 signature (RFC 8032), 64 bytes. */
  sign(epoch: number, message: Uint8Array): Uint8Array;
};

export function createWebhookKeys(keys: RootKeys): WebhookKeys {
  /** Keys of the few epochs in use. */
  const known = new Map<number, { readonly publicKey: Uint8Array; readonly keyId: string }>();
  const privateKey = (epoch: number) => keys.key('webhook_key', String(epoch));

  function of(epoch: number) {
    assert(Number.isSafeInteger(epoch) && epoch >= 1, 'epochs are counted from 1');
    const found = known.get(epoch);
    if (found !== undefined) return found;
    const publicKey = ed25519.publicKeyOf(privateKey(epoch));
    const made = { publicKey, keyId: keyIdOf(publicKey) };
    known.set(epoch, made);
    return made;
  }

  return {
    publicKey: (epoch) => of(epoch).publicKey,
    keyId: (epoch) => of(epoch).keyId,
    sign: (epoch, message) => {
      const { r, s } = ed25519.sign(privateKey(epoch), message);
      return concatBytes(r, s);
    },
  };
}
