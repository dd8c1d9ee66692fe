// The indexes of all record kinds, in one table. The store sees only keyed hashes of (index, scope, value).

import type { CredentialType, CurveName } from '../../base/enums.ts';
import type { IndexedKind } from '../kinds.ts';
import type {
  Authenticator,
  OauthProvider,
  OrganizationHead,
  RecordKind,
  Records,
  WalletAccount,
} from '../model.ts';
import type { SentNonce } from '../records/sends.ts';
import { contactOf } from './contacts.ts';

/** An index entry before hashing. Equal entries have equal hashes, regardless of the writer. */
export type IndexEntry = {
  readonly index: IndexName;
  /** The organization or parent within which the value is looked up. */
  readonly scope: string;
  readonly value: string;
};

/**
 * `account_*`, `activity_*` and `sent_*` are found within their organization, `child_*` within the parent
 * organization, `watched_*`, `unsettled_*`, `unfinal_*` and `oauth2_envelope` everywhere.
 */
export const indexNames = [
  'account_address',
  'account_name',
  'account_path',
  'activity_fingerprint',
  'auth_proxy_config',
  'oauth2_envelope',
  'child_name',
  'child_username',
  'child_email',
  'child_phone_number',
  'child_verified_email',
  'child_verified_phone_number',
  'child_claimed_email',
  'child_claimed_phone_number',
  'child_public_key',
  'child_proven_public_key',
  'child_alone_public_key',
  'child_credential_id',
  'child_proven_credential_id',
  'child_passkey',
  'child_identity',
  'child_proven_identity',
  'child_account_address',
  'watched_address',
  'unsettled_send',
  'sent_transaction',
  'sent_nonce',
  'unfinal_transaction',
] as const;
export type IndexName = (typeof indexNames)[number];

type Owner = { readonly organizationId: string; readonly parentId: string | undefined };
type Entries<Row> = (row: Row, owner: Owner) => readonly IndexEntry[];

const entriesOf: { readonly [Kind in IndexedKind]: Entries<Records[Kind]> } = {
  user: (user, owner) => [
    ...child(owner, 'child_username', user.name),
    ...child(owner, 'child_email', contactOf(user, 'OTP_TYPE_EMAIL')),
    ...child(owner, 'child_phone_number', contactOf(user, 'OTP_TYPE_SMS')),
    ...child(owner, 'child_claimed_email', user.emailClaimed && user.email?.toLowerCase()),
    ...child(owner, 'child_claimed_phone_number', user.phoneNumberClaimed && user.phoneNumber),
    ...child(
      owner,
      'child_verified_email',
      user.emailVerified && contactOf(user, 'OTP_TYPE_EMAIL'),
    ),
    ...child(
      owner,
      'child_verified_phone_number',
      user.phoneNumberVerified && contactOf(user, 'OTP_TYPE_SMS'),
    ),
  ],
  api_key: (key, owner) => [
    ...child(owner, 'child_public_key', key.publicKey.toLowerCase()),
    ...(key.leads === undefined || key.leads === 'given'
      ? []
      : child(
          owner,
          `child_${key.leads}_public_key`,
          publicKeyValue(key.publicKey, curveOfKeyType(key.type)),
        )),
  ],
  authenticator: (passkey, owner) => [
    ...child(owner, 'child_credential_id', passkey.credentialId),
    ...child(owner, 'child_passkey', passkeyValue(passkey)),
    ...(passkey.leads === 'proven'
      ? child(owner, 'child_proven_credential_id', passkey.credentialId)
      : []),
  ],
  oauth_provider: (provider, owner) => [
    ...child(owner, 'child_identity', identityValue(provider)),
    ...(provider.leads === 'proven'
      ? child(owner, 'child_proven_identity', identityValue(provider))
      : []),
  ],
  // An envelope belongs to one client of one organization.
  oauth2_credential: ({ encryptedClientSecret }) => [
    { index: 'oauth2_envelope', scope: '', value: envelopeValue(encryptedClientSecret) },
  ],
  // Browsers send only the ID of the config, so this index covers all organizations.
  auth_proxy_config: ({ id }) => [{ index: 'auth_proxy_config', scope: '', value: id }],
  // Unsettled sends on a chain are looked up across organizations.
  send: ({ caip2, transactionHash, isSettled }, owner) => [
    ...(isSettled === true ? [] : [{ index: 'unsettled_send', scope: '', value: caip2 } as const]),
    {
      index: 'sent_transaction',
      scope: owner.organizationId,
      value: sentTransactionValue(caip2, transactionHash),
    },
  ],
  sent_nonce: ({ caip2, address }, { organizationId: scope }) => [
    { index: 'sent_nonce', scope, value: sentNonceValue({ caip2, address }) },
  ],
  // When a block leaves the chain, its transactions are removed.
  chain_transaction: ({ caip2, block, finalNumber }) =>
    finalNumber === undefined
      ? [{ index: 'unfinal_transaction', scope: '', value: blockValue(caip2, block.hash) }]
      : [],
  voted_activity: ({ fingerprint }, owner) => [
    { index: 'activity_fingerprint', scope: owner.organizationId, value: fingerprint },
  ],
  wallet_account: (account, owner) => [
    { index: 'account_address', scope: owner.organizationId, value: account.address },
    { index: 'account_path', scope: owner.organizationId, value: accountPathValue(account) },
    ...watchedEntries(account),
    ...(account.name === undefined
      ? []
      : [{ index: 'account_name', scope: owner.organizationId, value: account.name } as const]),
    ...child(owner, 'child_account_address', account.address),
  ],
};

/** The address of an account on a watched kind of chain. */
type WatchedAddress = {
  /** CAIP-2 namespace of the chains with this address. */
  readonly prefix: string;
  /** The normalized address in transfers of these chains: lower case for Ethereum. */
  readonly address: string;
};

/** Returns the address to watch; undefined for an account on other chains. */
export function watchedAddressOf(
  account: Pick<WalletAccount, 'addressFormat' | 'address'>,
): WatchedAddress | undefined {
  const { addressFormat, address } = account;
  if (addressFormat === 'ADDRESS_FORMAT_ETHEREUM') {
    return { prefix: 'eip155', address: address.toLowerCase() };
  }
  return addressFormat === 'ADDRESS_FORMAT_SOLANA' ? { prefix: 'solana', address } : undefined;
}

export function watchedAddressValue({ prefix, address }: WatchedAddress): string {
  return `${prefix}:${address}`;
}

/** Returns the index value of a sent transaction. */
export function sentTransactionValue(caip2: string, transactionHash: string): string {
  return `${caip2}/${transactionHash}`;
}

/** Returns the index value for the used nonces of an address on a chain. */
export function sentNonceValue({ caip2, address }: Pick<SentNonce, 'caip2' | 'address'>): string {
  return `${caip2}/${address}`;
}

/** Returns the index value of a block that is not final. */
export function blockValue(caip2: string, blockHash: string): string {
  return `${caip2}/${blockHash}`;
}

function watchedEntries(account: WalletAccount): readonly IndexEntry[] {
  const watched = watchedAddressOf(account);
  if (watched === undefined) return [];
  return [{ index: 'watched_address', scope: '', value: watchedAddressValue(watched) }];
}

/** Returns the index value of a path. Paths repeat in different wallets, so the value includes the wallet. */
export function accountPathValue(account: Pick<WalletAccount, 'walletId' | 'path'>): string {
  return `${account.walletId}/${account.path}`;
}

/** Returns the index value of an account at an identity provider. */
export function identityValue(
  identity: Pick<OauthProvider, 'issuer' | 'audience' | 'subject'>,
): string {
  return JSON.stringify([identity.issuer, identity.audience, identity.subject]);
}

/**
 * Returns the index value of a registered key. It includes the curve, since the same bytes may be a point of
 * another curve, which another user can register.
 */
export function publicKeyValue(publicKey: string, curve: CurveName): string {
  return `${curve}/${publicKey.toLowerCase()}`;
}

/** Returns the curve of keys of this type; keys of logins are on P-256. */
export function curveOfKeyType(type: CredentialType): CurveName {
  return otherCurves[type] ?? 'CURVE_P256';
}

const otherCurves: { readonly [Type in CredentialType]?: CurveName } = {
  CREDENTIAL_TYPE_API_KEY_SECP256K1: 'CURVE_SECP256K1',
  CREDENTIAL_TYPE_API_KEY_ED25519: 'CURVE_ED25519',
};

/** Returns the index value for the envelope of a client secret: its hex in lower case. */
export function envelopeValue(encryptedClientSecret: string): string {
  return encryptedClientSecret.toLowerCase();
}

/**
 * Returns the index value of a passkey. It includes the key, since the same ID can be registered with another
 * key.
 */
export function passkeyValue(passkey: Pick<Authenticator, 'credentialId' | 'publicKey'>): string {
  return JSON.stringify([passkey.credentialId, passkey.publicKey]);
}

/** Returns the index entries of a record. */
export function indexEntriesOfRecord(
  kind: RecordKind,
  row: Records[RecordKind],
  owner: Owner,
): readonly IndexEntry[] {
  const tables: { readonly [Kind in RecordKind]?: unknown } = entriesOf;
  const entries = tables[kind] as Entries<Records[RecordKind]> | undefined;
  return entries?.(row, owner) ?? [];
}

/** Returns the index entries by which a parent finds the organization. */
export function indexEntriesOfHead(head: OrganizationHead, owner: Owner): readonly IndexEntry[] {
  return head.deletedAtMs === undefined ? child(owner, 'child_name', head.name) : [];
}

function child(owner: Owner, index: IndexName, value: string | undefined): readonly IndexEntry[] {
  if (owner.parentId === undefined || value === undefined) return [];
  return [{ index, scope: owner.parentId, value }];
}
