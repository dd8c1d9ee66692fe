// What `signWith` names: an address of a wallet account or of a private key, or a private key's id.

import { type SignatureScheme, signatureSchemeOf } from '../../core/address/index.ts';
import { signingSpellings } from '../../core/address/normalization.ts';
import type { CurveName } from '../../core/base/enums.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { SigningKey } from '../../core/keys/keyring.ts';
import { privateKeyOfAddress } from '../../core/keys/private_keys.ts';
import type { PrivateKey } from '../../core/organization/model.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { text } from '../../core/schema/schema.ts';
import type { Reader } from '../operation.ts';

/** A wallet account address, a private key address or a private key id. */
export const signWith = () => text({ minimum: 1, maximum: 256 });

export type FoundKey = {
  readonly key: SigningKey;
  readonly curve: CurveName;
  readonly scheme: SignatureScheme;
  /** What policies may mention of the key. */
  readonly facts: Facts;
};

/**
 * Finds what signs. Addresses are matched in their stored form, whatever other spelling of it was
 * sent. Raises `signing_resource_not_found`.
 */
export async function findSigningKey(
  signWith: string,
  organization: OrganizationView,
  read: Reader,
): Promise<FoundKey> {
  if (isUuid(signWith)) {
    const privateKey = organization.get('private_key', signWith.toLowerCase());
    if (privateKey !== undefined) return ofPrivateKey(privateKey, ownScheme(privateKey.curve));
    return notFound(signWith, organization);
  }
  const address = signingSpellings(signWith);
  const found = privateKeyOfAddress(organization, address);
  if (found !== undefined) {
    const { privateKey, format } = found;
    return ofPrivateKey(privateKey, signatureSchemeOf(format, privateKey.curve));
  }
  const [account] = await read.walletAccountsByAddress(address);
  if (account === undefined) return notFound(signWith, organization);
  const wallet = organization.get('wallet', account.walletId);
  assert(wallet !== undefined, 'only accounts of living wallets are read');
  return {
    key: { kind: 'wallet_account', wallet, account },
    curve: account.curve,
    scheme: signatureSchemeOf(account.addressFormat, account.curve),
    facts: { wallet, walletAccount: account },
  };
}

function ofPrivateKey(privateKey: PrivateKey, scheme: SignatureScheme): FoundKey {
  return {
    key: { kind: 'private_key', privateKey },
    curve: privateKey.curve,
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
