// Step 4: identifies the caller.

import { fail, ServiceError } from '../core/errors/errors.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { Caller } from '../operations/operation.ts';
import { findCaller, findCallerOrRefusal } from './find_caller.ts';
import { parentStateOf } from './parent_of.ts';
import type { Ports, Request } from './ports.ts';
import type { VerifiedStamp } from './verify_stamp.ts';

export type Authenticated = {
  readonly caller: Caller;
  /** The parent of the organization, if the caller is one of its users. */
  readonly parent: OrganizationState | undefined;
};

/**
 * Returns the user who holds the verified credential, in the organization or in its parent. A user of a
 * sub-organization may register the key or the passkey id of a user of the parent. Such a registration does
 * not hide the one in the parent if the credential cannot use it. Raises the errors of `findCaller`, and
 * `public_key_not_found`, `credential_not_found`, `identity_not_found` or `session_invalid` with the
 * organization that the request named.
 */
export async function authenticate(
  state: OrganizationState,
  verified: VerifiedStamp,
  request: Request,
  ports: Ports,
  namedId: string = state.id,
): Promise<Authenticated> {
  const here = await findCallerOrRefusal(state, verified, request, ports);
  if (here !== undefined && !(here instanceof ServiceError)) {
    request.authenticated?.(here);
    return { caller: here, parent: undefined };
  }
  const parent = await parentStateOf(state, ports);
  const above = parent && (await findCaller(parent, verified, request, ports));
  if (above === undefined) {
    if (here !== undefined) throw here;
    return failUnauthenticated(namedId, verified);
  }
  request.authenticated?.(above);
  return { caller: above, parent };
}

/** Refuses a credential that no user holds. */
function failUnauthenticated(organizationId: string, verified: VerifiedStamp): never {
  switch (verified.kind) {
    case 'api_key':
      return fail('public_key_not_found', { organizationId, publicKey: verified.publicKeyHex });
    case 'passkey': {
      const { credentialId } = verified.stamp;
      return fail('credential_not_found', { organizationId, credentialId });
    }
    case 'attested':
      return fail('identity_not_found', { organizationId });
    case 'session':
      return fail('session_invalid');
  }
}
