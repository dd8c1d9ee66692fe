// The organization key and its holders in the head of an organization.

import { timestampObject } from '../base/compatibility.ts';
import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import type {
  KeyHolderType,
  OrganizationKey,
  OrganizationKeyHolder,
} from '../organization/records/organization_key.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import type { HoldKey, Keyring } from './keyring.ts';

const maximumKeyHolders = 16;
/** Maximum number of a user's attempts to unseal an organization, within `unsealWindowMs`. */
export const maximumUnsealTries = 10;
export const unsealWindowMs = 3_600_000;

/** Parameters of a new holder. */
type NewKeyHolder = {
  readonly holderName: string;
  readonly type: KeyHolderType;
  readonly derivation: string;
};

/**
 * PHC form of the derivation from a passphrase, within the bounds of clients: scrypt with N of 2^15 to 2^20,
 * r of 8, p of 1 to 4, and a salt of at least 16 bytes.
 */
const passphraseDerivation = /^\$scrypt\$ln=(?:1[5-9]|20),r=8,p=[1-4]\$[A-Za-z0-9+/]{22,86}$/;

/** Rejects a passphrase holder whose derivation is not `passphraseDerivation`, for example too cheap. */
export function checkKeyHolder({ type, derivation }: NewKeyHolder, field: string): void {
  if (type !== 'KEY_HOLDER_TYPE_PASSPHRASE' || passphraseDerivation.test(derivation)) return;
  failField(
    field,
    'expected $scrypt$ln=15…20,r=8,p=1…4$ and a salt of at least 16 bytes in base64',
  );
}

/** Returns the key of an organization. Raises `organization_key_missing`. */
export function requireOrganizationKey(organization: OrganizationView): OrganizationKey {
  const { organizationKey } = organization.head;
  return organizationKey ?? fail('organization_key_missing', { organizationId: organization.id });
}

/** Returns a holder of the key. Raises `resource_not_found`. */
export function requireKeyHolder(key: OrganizationKey, id: string, organizationId: string) {
  const found = key.holders.find((holder) => holder.id === id.toLowerCase());
  return found ?? fail('resource_not_found', { resource: 'key holder', id, organizationId });
}

/**
 * Creates the organization key, and seals wallets and private keys with it in the same commit. Raises
 * `organization_key_exists`.
 */
export function createOrganizationKey(
  { encryptedSecret, ...holder }: NewKeyHolder & { readonly encryptedSecret: string },
  organization: OrganizationDraft,
  keyring: Keyring,
  { newId, now }: Context,
): { readonly key: OrganizationKey; readonly hold: HoldKey } {
  if (organization.head.organizationKey !== undefined) {
    fail('organization_key_exists', { organizationId: organization.id });
  }
  const id = newId();
  const holderId = newId();
  const named = { id, holderId, encryptedSecret };
  const { sealedKey, hold } = keyring.organizationKey.create(named, (sealed) => {
    for (const wallet of organization.list('wallet')) {
      organization.put('wallet', { ...wallet, secret: sealed('wallet', wallet) });
    }
    for (const privateKey of organization.list('private_key')) {
      // An external key has no secret in this service.
      if (privateKey.heldBy !== undefined) continue;
      const secret = sealed('private_key', privateKey);
      organization.put('private_key', { ...privateKey, secret });
    }
  });
  const holders = [newHolder(holderId, holder, sealedKey, now)];
  const key = { id, seals: 0, holders, createdAtMs: now };
  organization.setHead({ organizationKey: key, updatedAtMs: now });
  return { key, hold };
}

/** Adds a holder to the key of an unsealed organization. Raises `organization_sealed`, `limit_exceeded`. */
export function addKeyHolder(
  { encryptedSecret, ...holder }: NewKeyHolder & { readonly encryptedSecret: string },
  organization: OrganizationDraft,
  keyring: Keyring,
  { newId, now }: Context,
): OrganizationKeyHolder {
  const key = requireOrganizationKey(organization);
  if (key.holders.length >= maximumKeyHolders) {
    const words = { owner: 'organization', resource: 'key holders', limit: maximumKeyHolders };
    fail('limit_exceeded', words);
  }
  const holderId = newId();
  const sealedKey = keyring.organizationKey.sealFor(holderId, encryptedSecret);
  const added = newHolder(holderId, holder, sealedKey, now);
  setKey(organization, { ...key, holders: [...key.holders, added] }, now);
  return added;
}

/** Removes a holder. Raises `organization_sealed`, `resource_not_found`, `last_key_holder`. */
export function deleteKeyHolder(
  holderId: string,
  organization: OrganizationDraft,
  keyring: Keyring,
  { now }: Pick<Context, 'now'>,
): OrganizationKeyHolder {
  const key = requireOrganizationKey(organization);
  const holder = requireKeyHolder(key, holderId, organization.id);
  if (key.holders.length === 1) fail('last_key_holder', { holderId: holder.id });
  // If the remaining holders have lost their secrets, only an unsealed organization can add another holder.
  if (!keyring.organizationKey.isUnsealed()) {
    fail('organization_sealed', { organizationId: organization.id });
  }
  setKey(organization, { ...key, holders: key.holders.filter((each) => each !== holder) }, now);
  return holder;
}

/** Seals an organization: enclaves do not use its key until a holder unseals it again. */
export function sealOrganization(
  organization: OrganizationDraft,
  { now }: Pick<Context, 'now'>,
): OrganizationKey {
  const key = requireOrganizationKey(organization);
  const sealed = { ...key, seals: key.seals + 1 };
  setKey(organization, sealed, now);
  return sealed;
}

function setKey(organization: OrganizationDraft, organizationKey: OrganizationKey, now: number) {
  organization.setHead({ organizationKey, updatedAtMs: now });
}

const newHolder = (
  id: string,
  { holderName, type, derivation }: NewKeyHolder,
  sealedKey: string,
  now: number,
): OrganizationKeyHolder => ({
  id,
  name: holderName,
  type,
  derivation,
  sealedKey,
  createdAtMs: now,
});

/** Returns the API form of a key, without its sealed copies. */
export function organizationKeyView({ id, seals, holders, createdAtMs }: OrganizationKey) {
  return {
    organizationKeyId: id,
    sealCount: String(seals),
    holders: holders.map((holder) => ({
      holderId: holder.id,
      holderName: holder.name,
      type: holder.type,
      derivation: holder.derivation,
      createdAt: timestampObject(holder.createdAtMs),
    })),
    createdAt: timestampObject(createdAtMs),
  };
}
