// Rules of API keys.

import { bytesOfHex } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import type { ApiKeyCurve, CredentialType, CurveName } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { curves } from '../crypto/curves.ts';
import { fail, failField } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit, limitOf } from '../organization/limits.ts';
import type { ApiKey } from '../organization/model.ts';
import { failNotFound, requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { numberOf } from '../schema/schema.ts';

/** Maximum lifetime of an expiring key: ten years. */
export const maximumExpirationSeconds = 10 * 365 * 24 * 60 * 60;

type CurveRow = { curve: CurveName; type: CredentialType };

/** Curve and credential type of API keys, by the name of the curve in requests. */
const apiKeyCurveTable = table<CurveRow>()<ApiKeyCurve>({
  API_KEY_CURVE_P256: { curve: 'CURVE_P256', type: 'CREDENTIAL_TYPE_API_KEY_P256' },
  API_KEY_CURVE_SECP256K1: { curve: 'CURVE_SECP256K1', type: 'CREDENTIAL_TYPE_API_KEY_SECP256K1' },
  API_KEY_CURVE_ED25519: { curve: 'CURVE_ED25519', type: 'CREDENTIAL_TYPE_API_KEY_ED25519' },
});

/** Returns the curve of a name in a request. */
export function curveOfApiKey(curve: ApiKeyCurve): CurveName {
  return apiKeyCurveTable[curve].curve;
}

const keysByUser = createRowIndex('api_key', (keys) => Map.groupBy(keys, (key) => key.userId));
const keysByPublicKey = createRowIndex(
  'api_key',
  (keys) => new Map([...keys].map((key) => [key.publicKey.toLowerCase(), key])),
);

/** Parameters of an API key. */
export type ApiKeyParameters = {
  readonly apiKeyName: string;
  readonly publicKey: string;
  readonly curveType: ApiKeyCurve;
  readonly expirationSeconds?: string | number;
};

/** Parameters whose public keys were checked in steps. */
const checkedKeys = new WeakSet<object>();

/**
 * Checks the public keys of users, with a pause after each key, since hundreds take long. `createApiKeys`
 * does not check them again. `field` is the path of the list of users in the request. Raises `field_invalid`.
 */
export async function checkPublicKeysInParts(
  users: readonly { readonly apiKeys: readonly ApiKeyParameters[] }[],
  field: string,
  pause: () => Promise<void>,
): Promise<void> {
  for (const [i, { apiKeys }] of users.entries()) {
    for (const [j, key] of apiKeys.entries()) {
      checkPublicKey(key, `${field}.${i}.apiKeys.${j}.publicKey`);
      checkedKeys.add(key);
      await pause();
    }
  }
}

/** Returns the public keys of an organization in lower case; each belongs to one user. */
export function knownPublicKeys(organization: OrganizationView): Set<string> {
  return new Set(organization.list('api_key').map((key) => key.publicKey.toLowerCase()));
}

/**
 * Registers keys of a user, in order. `field` is the path of the list in the request. Above the limit, new
 * expiring keys replace expired keys, then unused mailed keys, then the oldest, but never each other.
 * `present` contains the user's keys, and `known` those of the organization, to which the new keys are added.
 * Raises `field_invalid`, `already_exists` for a known public key, and `limit_exceeded`.
 */
export function createApiKeys(
  userId: string,
  keys: readonly ApiKeyParameters[],
  organization: OrganizationDraft,
  context: Context,
  field: string,
  present: readonly ApiKey[] = apiKeysOfUser(organization, userId),
  known: Set<string> = knownPublicKeys(organization),
): ApiKey[] {
  const created = keys.map((key, i): ApiKey => {
    if (!checkedKeys.has(key)) checkPublicKey(key, `${field}.${i}.publicKey`);
    return {
      id: context.newId(),
      userId,
      name: key.apiKeyName,
      publicKey: key.publicKey,
      type: apiKeyCurveTable[key.curveType].type,
      ...expirationOf(key, `${field}.${i}.expirationSeconds`),
      createdAtMs: context.now,
      updatedAtMs: context.now,
    };
  });
  addPublicKeys(created, known);
  makeRoom(present, created, organization, context.now);
  for (const key of created) organization.put('api_key', key);
  return created;
}

/**
 * Registers the expiring P-256 key of a session. Raises `field_invalid`, `already_exists` and
 * `limit_exceeded`.
 */
export function createSessionApiKey(
  session: Omit<ApiKey, 'id' | 'createdAtMs' | 'updatedAtMs'> & {
    readonly expirationSeconds: number;
  },
  organization: OrganizationDraft,
  { now, newId }: Context,
): ApiKey {
  const curveType = 'API_KEY_CURVE_P256';
  checkPublicKey({ ...session, curveType }, 'parameters.publicKey');
  expirationOf(session, 'parameters.expirationSeconds');
  const key: ApiKey = { ...session, id: newId(), createdAtMs: now, updatedAtMs: now };
  addPublicKeys([key], knownPublicKeys(organization));
  makeRoom(apiKeysOfUser(organization, key.userId), [key], organization, now);
  organization.put('api_key', key);
  return key;
}

/**
 * Deletes keys of a user, and returns the number of keys without expiry among them. Raises
 * `resource_not_found` for a key of another user.
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
      failNotFound('API key', id, organization);
    }
    if (key.expirationSeconds === undefined) longLived += 1;
    removeApiKey(key, organization);
  }
  return longLived;
}

/** Deletes a key and its IP allowlist. If the key is registered again, the organization's list applies. */
export function removeApiKey({ id, publicKey }: ApiKey, organization: OrganizationDraft): void {
  organization.remove('api_key', id);
  for (const list of organization.list('ip_allowlist')) {
    if (list.publicKey === publicKey.toLowerCase()) organization.remove('ip_allowlist', list.id);
  }
}

/** Returns the API keys of a user, oldest first. */
export function apiKeysOfUser(organization: OrganizationView, userId: string): readonly ApiKey[] {
  return keysByUser(organization).get(userId) ?? [];
}

/** Returns the API key with a public key in lower-case hex. */
export function apiKeyOfPublicKey(
  organization: OrganizationView,
  publicKeyHex: string,
): ApiKey | undefined {
  return keysByPublicKey(organization).get(publicKeyHex);
}

/** Finds an API key by its ID in any letter case. Raises `resource_not_found`. */
export const requireApiKey = requiredRecord('api_key', 'API key');

/** Returns true if the key has expired. */
export function isExpired(key: ApiKey, now: number): boolean {
  const { expirationSeconds, createdAtMs } = key;
  return expirationSeconds !== undefined && now >= createdAtMs + expirationSeconds * 1000;
}

function checkPublicKey(
  { publicKey, curveType }: Pick<ApiKeyParameters, 'publicKey' | 'curveType'>,
  field: string,
): void {
  const curve = curves[apiKeyCurveTable[curveType].curve];
  const bytes = bytesOfHex(publicKey);
  if (bytes === undefined || !curve.isPublicKey(bytes)) {
    failField(
      field,
      `expected ${curve.publicKeyBytes} bytes in hex that are a public key of ${curveType}`,
    );
  }
}

/** Rejects public keys that the organization has, in any curve or letter case: each names one user. */
function addPublicKeys(created: readonly ApiKey[], known: Set<string>): void {
  for (const { publicKey } of created) {
    if (known.has(publicKey.toLowerCase())) {
      fail('already_exists', { resource: 'API key', what: `public key ${publicKey}` });
    }
    known.add(publicKey.toLowerCase());
  }
}

function expirationOf(
  { expirationSeconds }: Pick<ApiKeyParameters, 'expirationSeconds'>,
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

function makeRoom(
  present: readonly ApiKey[],
  created: readonly ApiKey[],
  organization: OrganizationDraft,
  now: number,
): void {
  const isExpiring = (key: ApiKey) => key.expirationSeconds !== undefined;
  const longLived = [...present, ...created].filter((key) => !isExpiring(key));
  checkLimit('longLivedApiKeys', longLived.length, organization);
  const added = created.filter(isExpiring).length;
  checkLimit('expiringApiKeys', added, organization);
  const expiring = present.filter(isExpiring);
  const excess = expiring.length + added - limitOf('expiringApiKeys', organization);
  const expired = expiring.filter((key) => isExpired(key, now));
  const alive = expiring.filter((key) => !isExpired(key, now));
  // Repeated requests for mails replace earlier mailed keys, not sessions.
  const unused = alive.filter((key) => key.isUnused === true);
  const used = alive.filter((key) => key.isUnused !== true);
  for (const key of [...expired, ...unused, ...used].slice(0, Math.max(excess, 0))) {
    removeApiKey(key, organization);
  }
}
