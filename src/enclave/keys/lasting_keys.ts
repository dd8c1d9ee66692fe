// The keys that a rotation of the root key does not change, by their names.

import { copyOfSecret } from '../../core/base/bytes.ts';
import { p256 } from '../../core/crypto/p256.ts';
import { type ServiceKeyRole, serviceKeyRoles } from '../../core/crypto/service_keys.ts';
import type { KeyPurpose, RootKeys } from './root_keys.ts';

/** Roles whose signatures the service itself accepts, so that the earlier root key must not make them. */
export const renewedRoles: readonly ServiceKeyRole[] = ['verifier', 'legacy_verifier'];

export const firstWebhookEpoch = 1;

/**
 * Returns copies of the keys that clients and rows know: the caller wipes them. `renewed` names the roles of
 * service keys that get a new value. `webhookEpochs` are the published keys of webhooks besides the first.
 */
export function lastingKeys(
  keys: RootKeys,
  {
    renewed,
    webhookEpochs,
  }: {
    readonly renewed: ReadonlySet<ServiceKeyRole>;
    readonly webhookEpochs: Iterable<number>;
  },
): Map<string, Uint8Array> {
  const kept = new Map<string, Uint8Array>();
  const keep = (purpose: KeyPurpose, owner: string): Uint8Array => {
    const key = copyOfSecret(keys.key(purpose, owner));
    kept.set(`${purpose}/${owner}`, key);
    return key;
  };
  keep('blind_index', '');
  keep('log_key', '');
  for (const epoch of new Set([firstWebhookEpoch, ...webhookEpochs]))
    keep('webhook_key', String(epoch));
  for (const { name } of Object.values(serviceKeyRoles)) {
    if (renewed.has(name)) continue;
    // The first attempt that is a private key is the key of the role.
    for (let attempt = 0; !p256.isPrivateKey(keep('service_key', `${name}/${attempt}`)); ) {
      attempt += 1;
    }
  }
  return kept;
}
