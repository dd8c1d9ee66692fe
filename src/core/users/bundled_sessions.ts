// Sessions whose key the service generates, and seals to a key of the user.

import { hex, wipe } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { writeCredentialBundle } from '../bundles/credential_bundle.ts';
import { p256 } from '../crypto/p256.ts';
import type { ApiKey } from '../organization/model.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { type SessionParameters, startSession } from './sessions.ts';

/**
 * Starts a session with a new key that only the reader of the bundle learns. `targetPublicKey` comes from
 * `parseTargetKey`. Raises the errors of `startSession`.
 */
export function startBundledSession(
  parameters: Omit<SessionParameters, 'publicKey' | 'isMadeHere'> & {
    readonly targetPublicKey: Uint8Array;
  },
  organization: OrganizationDraft,
  context: Context,
  random: (length: number) => Uint8Array,
): { readonly key: ApiKey; readonly credentialBundle: string } {
  const { targetPublicKey, ...session } = parameters;
  const privateKey = newPrivateKey(random);
  const ephemeralPrivateKey = newPrivateKey(random);
  try {
    const publicKey = hex(p256.publicKeyOf(privateKey));
    const key = startSession({ ...session, publicKey, isMadeHere: true }, organization, context);
    const bundle = { targetPublicKey, privateKey, ephemeralPrivateKey };
    return { key, credentialBundle: writeCredentialBundle(bundle) };
  } finally {
    wipe(privateKey, ephemeralPrivateKey);
  }
}

/** About one of 2^32 values is out of range. */
function newPrivateKey(random: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const candidate = random(32);
    if (p256.isPrivateKey(candidate)) return candidate;
    wipe(candidate);
  }
}
