// Rules of API keys.

import { bytesOfHex } from './bytes.ts';
import { curves } from './crypto/curves.ts';
import { fail, failField } from './errors.ts';
import { limitOf, limits } from './limits.ts';
import type { ApiKey } from './model.ts';
import type { ApiKeyCurve, CredentialType, CurveName } from './names.ts';
import type { OrganizationDraft, OrganizationView } from './organization.ts';
import { numberOf } from './schema/schema.ts';
import { table } from './table.ts';

/** Longest life that an expiring key may ask for: ten years. */
export const maximumExpirationSeconds = 10 * 365 * 24 * 60 * 60;

type CurveRow = { curve: CurveName; type: CredentialType };

/** What each curve of API keys means. */
const apiKeyCurveTable = table<CurveRow>()<ApiKeyCurve>({
  API_KEY_CURVE_P256: { curve: 'CURVE_P256', type: 'CREDENTIAL_TYPE_API_KEY_P256' },
  API_KEY_CURVE_SECP256K1: { curve: 'CURVE_SECP256K1', type: 'CREDENTIAL_TYPE_API_KEY_SECP256K1' },
  API_KEY_CURVE_ED25519: { curve: 'CURVE_ED25519', type: 'CREDENTIAL_TYPE_API_KEY_ED25519' },
});

/** An API key as a request describes it. */
export type ApiKeyParameters = {
  readonly apiKeyName: string;
  readonly publicKey: string;
  readonly curveType: ApiKeyCurve;
  readonly expirationSeconds?: string | number;
};

/**
 * Registers keys of a user, in order. `field` is the path of the list in the request. An expiring key
 * beyond the limit takes the place of one that has expired, else of the oldest. Raises
 * `field_invalid`, `already_exists` for a public key the organization knows, `limit_exceeded`.
 */
export function createApiKeys(
  userId: string,
  keys: readonly ApiKeyParameters[],
  organization: OrganizationDraft,
  context: { readonly now: number; newId(): string },
  field: string,
): ApiKey[] {
  return keys.map((key, i) => {
    const created: ApiKey = {
      id: context.newId(),
      userId,
      name: key.apiKeyName,
      publicKey: checkPublicKey(key, organization, `${field}.${i}.publicKey`),
      type: apiKeyCurveTable[key.curveType].type,
      ...expirationOf(key, `${field}.${i}.expirationSeconds`),
      createdAtMs: context.now,
      updatedAtMs: context.now,
    };
    makeRoom(created, organization, context.now);
    organization.put('api_key', created);
    return created;
  });
}

/**
 * Deletes keys of a user, and tells how many of them did not expire. Raises `resource_not_found` for
 * a key that is not this user's.
 */
export function deleteApiKeys(
  userId: string,
  ids: readonly string[],
  organization: OrganizationDraft,
): number {
  let longLived = 0;
  for (const id of ids) {
    const key = organization.get('api_key', id);
    if (key?.userId !== userId) {
      const organizationId = organization.id;
      fail('resource_not_found', { resource: 'API key', id, organizationId });
    }
    if (key.expirationSeconds === undefined) longLived += 1;
    organization.remove('api_key', id);
  }
  return longLived;
}

/** The API keys of a user, oldest first. */
export function apiKeysOfUser(organization: OrganizationView, userId: string): ApiKey[] {
  return organization.list('api_key').filter((key) => key.userId === userId);
}

/** The API key of an id in any letter case. Raises `resource_not_found`. */
export function requireApiKey(organization: OrganizationView, id: string): ApiKey {
  const key = organization.get('api_key', id.toLowerCase());
  if (key !== undefined) return key;
  return fail('resource_not_found', { resource: 'API key', id, organizationId: organization.id });
}

/** Whether the key's time has passed. */
export function isExpired(key: ApiKey, now: number): boolean {
  const { expirationSeconds, createdAtMs } = key;
  return expirationSeconds !== undefined && now >= createdAtMs + expirationSeconds * 1000;
}

function checkPublicKey(
  { publicKey, curveType }: ApiKeyParameters,
  organization: OrganizationView,
  field: string,
): string {
  const curve = curves[apiKeyCurveTable[curveType].curve];
  const bytes = bytesOfHex(publicKey);
  if (bytes === undefined || !curve.isPublicKey(bytes)) {
    failField(
      field,
      `expected ${curve.publicKeyBytes} bytes in hex that are a public key of ${curveType}`,
    );
  }
  const known = publicKey.toLowerCase();
  if (organization.list('api_key').some((key) => key.publicKey.toLowerCase() === known)) {
    fail('already_exists', { resource: 'API key', what: `public key ${publicKey}` });
  }
  return publicKey;
}

function expirationOf(
  { expirationSeconds }: ApiKeyParameters,
  field: string,
): { readonly expirationSeconds?: number } {
  if (expirationSeconds === undefined) return {};
  const seconds = numberOf(expirationSeconds);
  if (seconds < 1 || seconds > maximumExpirationSeconds) {
    failField(
      field,
      `invalid api key expiration: expected 1 to ${maximumExpirationSeconds} seconds, got ${seconds}`,
    );
  }
  return { expirationSeconds: seconds };
}

function makeRoom(created: ApiKey, organization: OrganizationDraft, now: number): void {
  const isExpiring = created.expirationSeconds !== undefined;
  const ofKind = apiKeysOfUser(organization, created.userId).filter(
    (key) => (key.expirationSeconds !== undefined) === isExpiring,
  );
  const name = isExpiring ? 'expiringApiKeys' : 'longLivedApiKeys';
  const limit = limitOf(name, organization);
  if (ofKind.length < limit) return;
  const { owner, words } = limits[name];
  if (!isExpiring) fail('limit_exceeded', { owner, resource: words, limit });
  const [evicted] = [...ofKind.filter((key) => isExpired(key, now)), ...ofKind];
  if (evicted !== undefined) organization.remove('api_key', evicted.id);
}
