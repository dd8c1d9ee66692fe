// Rules of private keys outside wallets: random keys with a name, tags and addresses.

import {
  type AddressFormatName,
  addressFormats,
  addressOf,
  isCurveOfFormat,
} from '../address/index.ts';
import { hex } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import type { CurveName } from '../base/enums.ts';
import { fail, failField } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type { Address, PrivateKey } from '../organization/model.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { privateKeyTags } from '../organization/tags.ts';
import { distinctIds } from '../schema/distinct_ids.ts';
import type { Keyring } from './keyring.ts';

/** Parameters of a private key. */
export type PrivateKeyParameters = {
  readonly privateKeyName: string;
  readonly curve: CurveName;
  readonly privateKeyTags: readonly string[];
  readonly addressFormats: readonly AddressFormatName[];
};

/** Finds a private key by its ID in any letter case. Raises `resource_not_found`. */
export const requirePrivateKey = requiredRecord('private_key', 'private key');

const keysByAddress = createRowIndex('private_key', (keys) => {
  const found = new Map<string, AddressedKey>();
  for (const privateKey of keys) {
    for (const { address, format } of privateKey.addresses) {
      if (!found.has(address)) found.set(address, { privateKey, format });
    }
  }
  return found;
});

type AddressedKey = {
  readonly privateKey: PrivateKey;
  readonly format: AddressFormatName;
};

/** Returns the private key with this stored address, and its first format with this spelling. */
export function privateKeyOfAddress(
  organization: OrganizationView,
  address: string,
): AddressedKey | undefined {
  return keysByAddress(organization).get(address);
}

/** A new key with its addresses that no organization contains yet. */
export type DrawnKey = Pick<PrivateKey, 'id' | 'secret' | 'publicKey' | 'addresses' | 'heldBy'> & {
  readonly parameters: PrivateKeyParameters;
};

/** A key whose external holder proved possession of it. */
export type ProvenKey = { readonly publicKey: Uint8Array; readonly heldBy: string };

/**
 * Creates random keys with a pause after each, since 100 keys with all addresses take long. `field` is the
 * path of the list in the request. `proven` contains the external keys, by their index in the list. Raises
 * `field_invalid` for a duplicate format or one that the curve does not support.
 */
export async function drawPrivateKeysInParts(
  described: readonly PrivateKeyParameters[],
  keyring: Keyring,
  of: Pick<Context, 'newId'> & {
    readonly field: string;
    readonly proven?: ReadonlyMap<number, ProvenKey>;
  },
  pause: () => Promise<void>,
): Promise<readonly DrawnKey[]> {
  const { newId, field, proven } = of;
  const drawn: DrawnKey[] = [];
  for (const [i, parameters] of described.entries()) {
    checkFormats(parameters, `${field}.${i}.addressFormats`);
    const id = newId();
    const held = proven?.get(i);
    const made =
      held === undefined ? keyring.createPrivateKey(id, parameters.curve) : { secret: '', ...held };
    drawn.push({ id, parameters, ...addressed(made, parameters) });
    await pause();
  }
  return drawn;
}

/**
 * Stores created keys, all or none. `field` is the path of the list in the request. Raises `limit_exceeded`;
 * `field_invalid` for a duplicate tag; `resource_not_found` for an unknown tag.
 */
export function addPrivateKeys(
  drawn: readonly DrawnKey[],
  organization: OrganizationDraft,
  { now, field }: Pick<Context, 'now'> & { readonly field: string },
): PrivateKey[] {
  const count = organization.rows('private_key').size + drawn.length;
  checkLimit('privateKeys', count, organization);
  ensureHeldOnce(drawn, organization);
  const created = drawn.map((key, i) => {
    const input = { ...key, now, imported: false };
    return newPrivateKey(input, `${field}.${i}`, organization);
  });
  // Checked before any is added, so that each sees only the addresses of other keys.
  ensureAddressesFree(
    created.flatMap(({ addresses }) => addresses),
    organization,
  );
  for (const privateKey of created) organization.put('private_key', privateKey);
  return created;
}

/**
 * Stores an imported private key: 32 bytes, the seed for Ed25519. `field` is the path of the description in
 * the request, `keyField` the path of the key. Raises as `drawPrivateKeysInParts` and `addPrivateKeys`, and
 * `field_invalid` for an invalid key of the curve.
 */
export function importPrivateKey(
  input: { privateKeyName: string; curve: CurveName; addressFormats: readonly AddressFormatName[] },
  privateKey: Uint8Array,
  organization: OrganizationDraft,
  keyring: Keyring,
  context: Context & { readonly field: string; readonly keyField: string },
): PrivateKey {
  checkLimit('privateKeys', organization.rows('private_key').size + 1, organization);
  const { curve } = input;
  const id = context.newId();
  const parameters = { ...input, privateKeyTags: [] };
  checkFormats(input, `${context.field}.addressFormats`);
  const kept =
    keyring.importPrivateKey(id, curve, privateKey) ??
    failField(context.keyField, `expected the 32 bytes of a private key of ${curve}`);
  const described = { id, parameters, ...addressed(kept, input), now: context.now, imported: true };
  const imported = newPrivateKey(described, context.field, organization);
  ensureAddressesFree(imported.addresses, organization);
  organization.put('private_key', imported);
  return imported;
}

/** Marks a private key as exported. */
export function markPrivateKeyExported(
  privateKey: PrivateKey,
  organization: OrganizationDraft,
  now: number,
): void {
  if (privateKey.exported) return;
  organization.put('private_key', { ...privateKey, exported: true, updatedAtMs: now });
}

/**
 * Rejects addresses of other private keys in the organization, because an address identifies one key. Raises
 * `already_exists`.
 */
export function ensureAddressesFree(
  addresses: readonly Address[],
  organization: OrganizationView,
): void {
  for (const { address } of addresses) {
    if (privateKeyOfAddress(organization, address) === undefined) continue;
    fail('already_exists', { resource: 'private key', what: `address ${address}` });
  }
}

/** Rejects an external key that the organization already has. Raises `already_exists`. */
function ensureHeldOnce(drawn: readonly DrawnKey[], organization: OrganizationView): void {
  const added = drawn.filter(({ heldBy }) => heldBy !== undefined).map((key) => key.publicKey);
  if (added.length === 0) return;
  const present = new Set(organization.list('private_key').map(({ publicKey }) => publicKey));
  for (const publicKey of added) {
    if (!present.has(publicKey)) present.add(publicKey);
    else fail('already_exists', { resource: 'private key', what: `public key ${publicKey}` });
  }
}

/** Deletes a key. Raises `not_exported` unless it was exported, is external, or `withoutExport` is set. */
export function deletePrivateKey(
  privateKey: PrivateKey,
  withoutExport: boolean,
  organization: OrganizationDraft,
): void {
  const isHere = privateKey.heldBy === undefined;
  if (isHere && !privateKey.exported && !withoutExport) {
    fail('not_exported', { resource: 'private key', id: privateKey.id });
  }
  organization.remove('private_key', privateKey.id);
}

/** Returns the stored public key and addresses. */
function addressed(
  {
    publicKey,
    ...kept
  }: Pick<PrivateKey, 'secret' | 'heldBy'> & {
    readonly publicKey: Uint8Array;
  },
  { curve, addressFormats: formats }: Formats,
): Pick<PrivateKey, 'secret' | 'publicKey' | 'addresses' | 'heldBy'> {
  const addresses = formats.map((format) => ({
    format,
    address: addressOf(format, curve, publicKey),
  }));
  return { ...kept, publicKey: hex(publicKey), addresses };
}

function newPrivateKey(
  input: DrawnKey & { readonly now: number; readonly imported: boolean },
  field: string,
  organization: OrganizationView,
): PrivateKey {
  const { id, parameters, secret, publicKey, heldBy, addresses, now, imported } = input;
  const tagIds = distinctIds(parameters.privateKeyTags, `${field}.privateKeyTags`);
  for (const tagId of tagIds) privateKeyTags.require(organization, tagId);
  return {
    id,
    name: parameters.privateKeyName,
    curve: parameters.curve,
    publicKey,
    addresses,
    tagIds,
    secret,
    ...(heldBy === undefined ? {} : { heldBy }),
    exported: false,
    imported,
    createdAtMs: now,
    updatedAtMs: now,
  };
}

type Formats = Pick<PrivateKeyParameters, 'curve' | 'addressFormats'>;

function checkFormats({ curve, addressFormats: formats }: Formats, field: string): void {
  for (const [i, format] of formats.entries()) {
    if (formats.indexOf(format) !== i) {
      failField(`${field}.${i}`, `invalid address format: ${format} is named twice`);
    }
    if (!isCurveOfFormat(format, curve)) {
      const { curves } = addressFormats[format];
      const reason = `${format} is of ${curves.join(' or ')}, not of ${curve}`;
      failField(`${field}.${i}`, `invalid address format: ${reason}`);
    }
  }
}
