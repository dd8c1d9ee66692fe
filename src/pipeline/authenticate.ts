// Who asks: exactly one authentication header, its signature over the raw body, and the user whose
// key it is, in the organization the request names or in its parent.

import { apiKeyOfPublicKey, isExpired } from '../core/api_keys.ts';
import { parseStamp, type Stamp } from '../core/auth/stamp.ts';
import { hex } from '../core/bytes.ts';
import { assert, fail } from '../core/errors.ts';
import type { ApiKey } from '../core/model.ts';
import { type OrganizationState, viewOf } from '../core/organization.ts';
import type { Caller } from '../operations/operation.ts';
import type { Ports, Request } from './ports.ts';

/** The stamp of a request, its signature checked: proof of a key, not yet of a user. */
export type ProvenStamp = { readonly stamp: Stamp; readonly publicKeyHex: string };

/**
 * Reads the one authentication header and verifies it over the raw body. Raises `stamp_missing`,
 * `stamp_ambiguous`, `stamp_unsupported`, `stamp_malformed`, `stamp_signature_invalid`.
 */
export async function proveStamp(request: Request, ports: Ports): Promise<ProvenStamp> {
  const stamp = parseStamp(stampHeader(request));
  if (!(await ports.verifyStamp(stamp, request.body))) fail('stamp_signature_invalid');
  return { stamp, publicKeyHex: hex(stamp.publicKey) };
}

/** The user in this organization who holds the proven key. Raises `api_key_expired`. */
export function callerIn(
  state: OrganizationState,
  proven: ProvenStamp,
  now: number,
): Caller | undefined {
  const apiKey = apiKeyOfPublicKey(viewOf(state), proven.publicKeyHex);
  // A key answers only to the scheme of its own curve.
  if (apiKey === undefined || !schemeFits(apiKey, proven.stamp)) return undefined;
  if (isExpired(apiKey, now)) fail('api_key_expired', { publicKey: apiKey.publicKey });
  const user = state.records.user.get(apiKey.userId);
  assert(user !== undefined, 'an API key belongs to a user');
  return { organizationId: state.id, user, apiKey, stamp: proven.stamp };
}

/** The organization a request names, if it lives. Raises `organization_not_found`. */
export function requireLiving(
  state: OrganizationState | undefined,
  organizationId: string,
): OrganizationState {
  if (state === undefined || state.head.deletedAtMs !== undefined) {
    return fail('organization_not_found', { organizationId });
  }
  return state;
}

/** The user of the parent who holds the proven key: may read here, not write. Raises `api_key_expired`. */
export async function callerInParent(
  state: OrganizationState,
  proven: ProvenStamp,
  ports: Ports,
): Promise<Caller | undefined> {
  if (state.parentId === undefined) return undefined;
  const parent = (await ports.repository.organization(state.parentId)).state;
  return parent === undefined ? undefined : callerIn(parent, proven, ports.clock());
}

/** Refuses a key that nobody here holds. */
export function failUnknownKey(organizationId: string, proven: ProvenStamp): never {
  return fail('public_key_not_found', { organizationId, publicKey: proven.publicKeyHex });
}

const stampHeaders = ['x-stamp', 'x-stamp-webauthn', 'x-stamp-attested'];

function stampHeader(request: Request): string {
  const stamps = request.headers.filter((header) => stampHeaders.includes(header.name));
  // A session may accompany a stamp; alone it is a credential of its own.
  const found = stamps.length > 0 ? stamps : request.headers;
  const [only, second] = found;
  if (only === undefined) fail('stamp_missing');
  if (second !== undefined) {
    fail('stamp_ambiguous', { headers: found.map((header) => header.name).join(', ') });
  }
  if (only.name !== 'x-stamp') fail('stamp_unsupported', { header: only.name });
  return only.value;
}

function schemeFits(apiKey: ApiKey, stamp: Stamp): boolean {
  const { type } = apiKey;
  if (type === stamp.credentialType) return true;
  // Keys made by logins are P-256 whatever their type says about their origin.
  const issuedByUser = type.startsWith('CREDENTIAL_TYPE_API_KEY_');
  return !issuedByUser && stamp.algorithm === 'p256';
}
