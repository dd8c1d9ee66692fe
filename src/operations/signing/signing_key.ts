// Finds the key that `signWith` selects: the address of a wallet account or private key, or a private key's
// id.

import { type SignatureScheme, signatureSchemeOf } from '../../core/address/index.ts';
import { signingSpellings } from '../../core/address/normalization.ts';
import type { CurveName } from '../../core/base/enums.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { SigningKey } from '../../core/keys/keyring.ts';
import { privateKeyOfAddress } from '../../core/keys/private_keys.ts';
import type { Address, PrivateKey } from '../../core/organization/model.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { text } from '../../core/schema/schema.ts';
import type { Reader } from '../reader.ts';

/** The address of a wallet account or private key, or the id of a private key. */
export const signWith = () => text({ minimum: 1, maximum: 256 });

/** A private key of an external holder. */
export type ExternalKey = Pick<PrivateKey, 'id' | 'curve' | 'publicKey' | 'heldBy'>;

export type FoundKey = {
  readonly key: SigningKey;
  /** The private key, if it has an external holder. */
  readonly external: ExternalKey | undefined;
  readonly curve: CurveName;
  /** 33 bytes (compressed point) of secp256k1 and P-256, 32 bytes of Ed25519; lower-case hex. */
  readonly publicKey: string;
  /** The requested address; for the id of a private key, all its addresses. */
  readonly addresses: readonly Address[];
  readonly scheme: SignatureScheme;
  /** The facts about the key that policies may mention. */
  readonly facts: Facts;
};

/**
 * Finds the signing key. Addresses are matched in their stored form, from any spelling. Raises
 * `signing_resource_not_found`.
 */
export async function findSigningKey(
  signWith: string,
  organization: OrganizationView,
  read: Reader,
): Promise<FoundKey> {
  if (isUuid(signWith)) {
    const privateKey = organization.get('private_key', signWith.toLowerCase());
    if (privateKey !== undefined) {
      return ofPrivateKey(privateKey, ownScheme(privateKey.curve), privateKey.addresses);
    }
    return notFound(signWith, organization);
  }
  const address = signingSpellings(signWith);
  const found = privateKeyOfAddress(organization, address);
  if (found !== undefined) {
    const { privateKey, format } = found;
    const named = privateKey.addresses.filter((each) => each.format === format);
    return ofPrivateKey(privateKey, signatureSchemeOf(format, privateKey.curve), named);
  }
  const account = await read.signingAccount(address);
  if (account === undefined) return notFound(signWith, organization);
  const wallet = organization.get('wallet', account.walletId);
  assert(wallet !== undefined, 'only accounts of living wallets are read');
  return {
    key: { kind: 'wallet_account', wallet, account },
    external: undefined,
    curve: account.curve,
    publicKey: account.publicKey,
    addresses: [{ format: account.addressFormat, address: account.address }],
    scheme: signatureSchemeOf(account.addressFormat, account.curve),
    facts: { wallet, walletAccount: account },
  };
}

/** Returns the IDs of the private key and the wallets of the organization that hold an address. */
export async function keyIdsOf(
  spelling: string,
  organization: OrganizationView,
  read: Reader,
): Promise<readonly string[]> {
  const address = signingSpellings(spelling);
  const found = privateKeyOfAddress(organization, address);
  const accounts = await read.walletAccountsByAddress(address);
  return [...(found ? [found.privateKey.id] : []), ...accounts.map(({ walletId }) => walletId)];
}

function ofPrivateKey(
  privateKey: PrivateKey,
  scheme: SignatureScheme,
  addresses: readonly Address[],
): FoundKey {
  const { curve, publicKey } = privateKey;
  return {
    key: { kind: 'private_key', privateKey },
    external: privateKey.heldBy === undefined ? undefined : privateKey,
    curve,
    publicKey,
    addresses,
    scheme,
    facts: { privateKey },
  };
}

function ownScheme(curve: CurveName): SignatureScheme {
  return signatureSchemeOf('ADDRESS_FORMAT_COMPRESSED', curve);
}

function notFound(signWith: string, organization: OrganizationView): never {
  return fail('signing_resource_not_found', { signWith, organizationId: organization.id });
}
