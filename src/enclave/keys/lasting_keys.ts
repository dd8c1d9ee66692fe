// The keys that survive a rotation of the root key, by name.

import { copyOfSecret } from '../../core/base/bytes.ts';
import { p256 } from '../../core/crypto/p256.ts';
import { type ServiceKeyRole, serviceKeyRoles } from '../../core/crypto/service_keys.ts';
import type { KeyPurpose, RootKeys } from './root_keys.ts';

/** Roles whose signatures the service itself accepts. The earlier root key must not sign for them. */
export const renewedRoles: readonly ServiceKeyRole[] = ['verifier', 'legacy_verifier'];

export const firstWebhookEpoch = 1;

/**
 * Returns copies of the keys that clients and rows depend on; the caller wipes them. `renewed` lists roles of
 * service keys that get a new value. `webhookEpochs` are the published webhook keys other than the first.
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
    // The first valid private key is the key of the role.
    for (let attempt = 0; !p256.isPrivateKey(keep('service_key', `${name}/${attempt}`)); ) {
      attempt += 1;
    }
  }
  return kept;
}
