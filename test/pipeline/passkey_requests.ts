// Passkeys committed directly to the store, since their use does not depend on their registration.

import { base64url } from '../../src/core/base/bytes.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import type { TestService } from '../support/harness.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../support/software_authenticator.ts';

/** Adds a passkey to a user, by default in the first organization. */
export async function addAuthenticator(
  service: TestService,
  userId: string,
  seed: string,
  organizationId?: string,
): Promise<SoftwareAuthenticator> {
  const passkey = createSoftwareAuthenticator({ seed });
  await changeOrganization(
    service,
    (draft, newId) => {
      draft.put('authenticator', {
        id: newId(),
        userId,
        name: seed,
        credentialId: base64url(passkey.credentialId),
        publicKey: base64url(passkey.publicKey),
        aaguid: base64url(new Uint8Array(16)),
        attestationType: 'none',
        model: '',
        transports: [],
        rpIdHash: base64url(passkey.rpIdHash),
        createdAtMs: service.now(),
        updatedAtMs: service.now(),
      });
      return undefined;
    },
    organizationId,
  );
  return passkey;
}

/** Returns the X-Stamp-WebAuthn header of a body. */
export const passkeyStamp = (body: Uint8Array, passkey: SoftwareAuthenticator) => ({
  name: 'x-stamp-webauthn',
  value: passkey.stamp(body),
});
